package rules

import (
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/document"
)

// Location is where a venue is: a point, an address, or both. Every part may be missing.
type Location struct {
	Lat, Lon                              *float64 // in degrees; both or none
	Street, HouseNumber, PostalCode, City string
}

// LocationOfVenue returns the location of a venue.
func LocationOfVenue(v *Venue) Location {
	return Location{v.Lat, v.Lon, string(v.Street), string(v.HouseNumber), string(v.PostalCode), string(v.City)}
}

// LocationOf returns the location of a venue that was found.
func LocationOf(v adminapi.SimilarVenue) Location {
	return Location{v.Lat, v.Lon, string(v.Street), string(v.HouseNumber), string(v.PostalCode), string(v.City)}
}

// Distance returns the metres between two points; nil when one is missing.
func (l Location) Distance(to Location) *float64 {
	if l.Lat == nil || to.Lat == nil {
		return nil
	}
	metres := Distance(*l.Lat, *l.Lon, *to.Lat, *to.Lon)
	return &metres
}

// Near reports whether two venues of similar names may be the same: their points are within
// SimilarWithin, or their addresses agree, which have a part in common while no other part differs.
// Points that are farther apart do not count then: one may be wrong.
func (l Location) Near(other Location) bool {
	if distance := l.Distance(other); distance != nil && *distance <= SimilarWithin {
		return true
	}
	postalCode, city := compare(withoutSpaces(l.PostalCode), withoutSpaces(other.PostalCode)), compare(l.City, other.City)
	street, house := compare(street(l.Street), street(other.Street)), compare(withoutSpaces(l.HouseNumber), withoutSpaces(other.HouseNumber))
	if postalCode == differs || street == differs || house == differs || city == differs && postalCode != agrees {
		return false
	}
	return postalCode == agrees || city == agrees
}

// agreement is the result of comparing a part of two addresses.
type agreement int

const (
	unknown agreement = iota // one of the two has none
	agrees
	differs
)

// compare compares texts without regard to case, marks and digraphs.
func compare(a, b string) agreement {
	a, b = document.Words(a), document.Words(b)
	switch {
	case a == "" || b == "":
		return unknown
	case a == b:
		return agrees
	}
	return differs
}

func withoutSpaces(text string) string { return strings.Join(strings.Fields(text), "") }

// street writes the abbreviations of a street's name out, as "Hafenstr." and "Hafen Straße".
func street(name string) string {
	name = strings.Join(strings.Fields(document.Words(name)), "")
	if short, found := strings.CutSuffix(name, "str"); found {
		name = short + "strasse"
	}
	return name
}
