package filter

// Attributes returns the attributes that an expression reads, some of them more than once.
func Attributes(e Expr) (names []string) {
	switch e := e.(type) {
	case and:
		for _, part := range e {
			names = append(names, Attributes(part)...)
		}
	case or:
		for _, part := range e {
			names = append(names, Attributes(part)...)
		}
	case in:
		names = append(names, e.attribute)
	case compare:
		names = append(names, e.attribute)
	case between:
		names = append(names, e.attribute)
	case startsWith:
		names = append(names, e.attribute)
	case contains:
		names = append(names, e.attribute)
	case exists:
		names = append(names, e.attribute)
	case missing:
		names = append(names, e.attribute)
	}
	return names
}
