package filter

// InList narrows an expression of dates to those of some events, and some single ones.
func InList(match Expr, events, dates []string) Expr {
	return Simplify(and{match, or{anyOf("uuid", events, quoted), anyOf("date_uuid", dates, quoted)}})
}
