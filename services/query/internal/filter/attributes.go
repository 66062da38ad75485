package filter

// Attributes returns the attributes that an expression reads, some of them more than once.
func Attributes(e Expr) []string {
	switch e := e.(type) {
	case and:
		return attributesOf(e)
	case or:
		return attributesOf(e)
	case in:
		return []string{e.attribute}
	case notIn:
		return []string{e.attribute}
	case compare:
		return []string{e.attribute}
	case between:
		return []string{e.attribute}
	case startsWith:
		return []string{e.attribute}
	case contains:
		return []string{e.attribute}
	case exists:
		return []string{e.attribute}
	case missing:
		return []string{e.attribute}
	default: // all, none
		return nil
	}
}

func attributesOf(parts []Expr) (names []string) {
	for _, part := range parts {
		names = append(names, Attributes(part)...)
	}
	return names
}
