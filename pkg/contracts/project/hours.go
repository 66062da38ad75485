package project

import (
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
)

// endless reports whether a date has no end: one with opening hours and without an end day.
func endless(d change.Date) bool { return !d.Hours.Empty() && d.EndDate == "" }

// openings returns the attributes by which a date with opening hours is found.
func openings(d change.Date) (document.Openings, error) {
	if d.Hours.Empty() {
		return document.Openings{}, nil
	}
	calendar, err := d.Hours.Over(d.StartDate, string(d.EndDate))
	if err != nil {
		return document.Openings{}, err
	}
	return document.NewOpenings(calendar), nil
}
