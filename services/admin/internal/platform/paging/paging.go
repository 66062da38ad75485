// Package paging parses the parameters of a page of a list.
package paging

import (
	"strconv"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
)

const (
	defaultLimit = 50
	maxLimit     = 200
	maxOffset    = 1_000_000
)

// Page is a requested page of a list.
type Page struct {
	Limit  int
	Offset int
}

// Answer returns the page for the answer, without the total count.
func (p Page) Answer() adminapi.Page { return adminapi.Page{Limit: p.Limit, Offset: p.Offset} }

// Parse reads the parameters limit (1 to 200, default 50) and offset (0 to 1,000,000, default 0)
// and adds violations for invalid values. query returns the text of a parameter, "" if absent.
func Parse(violations *fault.Violations, query func(name string) string) Page {
	return Page{
		Limit:  number(violations, "limit", query("limit"), 1, maxLimit, defaultLimit),
		Offset: number(violations, "offset", query("offset"), 0, maxOffset, 0),
	}
}

func number(violations *fault.Violations, name, text string, least, most, absent int) int {
	if text == "" {
		return absent
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < least || value > most || text[0] == '+' {
		violations.Add(name, reason.NotIntegerBetween(least, most))
		return absent
	}
	return value
}
