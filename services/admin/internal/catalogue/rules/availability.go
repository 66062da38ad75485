package rules

import (
	"fmt"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
)

// The availabilities of dates that the rules speak of; all are in the value set "availabilities".
const (
	SoldOut     = "sold_out"
	WaitingList = "waiting_list"
)

// availability checks whether there are places, as far as it is stated. The version of what is
// stored has no upper limit here: it would end all edits of the date.
func (c checker) availability(a adminapi.DateAvailability) {
	c.item("availability", change.LookupAvailabilities, string(a.Availability))
	left, given := a.RemainingPlaces.Number()
	switch {
	case !given:
	case left < 0 || left > adminapi.MaxAttendees:
		c.bad("remaining_places", reason.NotBetween(0, adminapi.MaxAttendees))
	case left > 0 && isSoldOut(a.Availability):
		c.bad("remaining_places", reason.Contradicts("availability"))
	}
	if version, given := a.AvailabilityVersion.Number(); given && version < 1 {
		c.bad("availability_version", reason.NotIntegerBetween(1, adminapi.MaxAvailabilityVersion))
	}
}

// FollowAvailability lets the places of a date follow an edit of its availability that leaves them
// as they were: none are left when it is sold out, and none are known when it no longer is
// (RULES.md, Entries).
func FollowAvailability(before adminapi.DateAvailability, after *adminapi.DateAvailability) {
	left, given := after.RemainingPlaces.Number()
	if !given || after.RemainingPlaces != before.RemainingPlaces || after.Availability == before.Availability {
		return
	}
	switch {
	case left > 0 && isSoldOut(after.Availability):
		after.RemainingPlaces = value.Counted(0)
	case left == 0 && isSoldOut(before.Availability) && !isSoldOut(after.Availability):
		after.RemainingPlaces = value.Count{}
	}
}

func isSoldOut(availability value.Text) bool {
	return availability == SoldOut || availability == WaitingList
}

// CheckAvailability brings whether there are places at a date into its stored form. The fault is
// Invalid and names every bad field.
func CheckAvailability(stored adminapi.DateAvailability, a *adminapi.DateAvailability) error {
	cleanLower(&a.Availability)
	c := newChecker()
	c.availability(*a)
	*c.violations = append(*c.violations, RefuseForgedVersion(stored, *a)...)
	return c.violations.Err("invalid_date", "the date is not valid")
}

// KeepNewerAvailability lets an edit that brings back an older availability than the stored one
// keep that: a box office has changed it since it was read (RULES.md, Edits).
func KeepNewerAvailability(stored adminapi.DateAvailability, edited *adminapi.DateAvailability) {
	newest, _ := stored.AvailabilityVersion.Number()
	if version, given := edited.AvailabilityVersion.Number(); !given {
		edited.AvailabilityVersion = stored.AvailabilityVersion
	} else if 0 < version && version < newest {
		*edited = stored
	}
}

// RefuseForgedVersion returns the violation of an edit that names a version which the availability
// has not had yet.
func RefuseForgedVersion(stored, edited adminapi.DateAvailability) (bad fault.Violations) {
	newest, _ := stored.AvailabilityVersion.Number()
	if version, _ := edited.AvailabilityVersion.Number(); version > newest {
		bad.Add("availability_version", reason.NotIntegerBetween(1, newest))
	}
	return bad
}

// KeepNewerAvailabilities is KeepNewerAvailability of the stored dates of an edited event, with the
// violations of RefuseForgedVersion.
func (e *Event) KeepNewerAvailabilities(before *Event) (bad fault.Violations) {
	stored := before.availabilities()
	for i := range e.Dates {
		was, exists := stored[e.Dates[i].UUID]
		if !exists {
			continue
		}
		edited := &e.Dates[i].DateAvailability
		KeepNewerAvailability(was, edited)
		for _, violation := range RefuseForgedVersion(was, *edited) {
			violation.Field = fmt.Sprintf("dates[%d].%s", i, violation.Field)
			bad = append(bad, violation)
		}
	}
	return bad
}

// StatesAvailability reports whether an edit of an event changes the availability of a stored date.
func (e *Event) StatesAvailability(before *Event) bool {
	stored := before.availabilities()
	for _, d := range e.Dates {
		if was, exists := stored[d.UUID]; exists && (!samePlaces(was, d.DateAvailability) || len(RefuseForgedVersion(was, d.DateAvailability)) > 0) {
			return true
		}
	}
	return false
}

// CountAvailabilities gives the dates of an event that is to be stored the versions of their
// availabilities: the next one where it changes, or that of a catalogue file where it is greater.
// before is nil for a new event. The violations are those of versions that are too great.
func (e *Event) CountAvailabilities(before *Event) (bad fault.Violations) {
	stored := before.availabilities()
	for i := range e.Dates {
		is, least := &e.Dates[i].DateAvailability, 1
		if was, exists := stored[e.Dates[i].UUID]; exists {
			KeepNewerAvailability(was, is)
			if least, _ = was.AvailabilityVersion.Number(); !samePlaces(was, *is) {
				least++
			}
		}
		version, _ := is.AvailabilityVersion.Number()
		if version > max(least, adminapi.MaxAvailabilityVersion) {
			bad.Add(fmt.Sprintf("dates[%d].availability_version", i), reason.NotIntegerBetween(1, adminapi.MaxAvailabilityVersion))
			continue
		}
		is.AvailabilityVersion = value.Counted(max(least, version))
	}
	return bad
}

// availabilities are those of the dates of an event by their uuids; none of a nil event.
func (e *Event) availabilities() map[string]adminapi.DateAvailability {
	if e == nil {
		return nil
	}
	found := make(map[string]adminapi.DateAvailability, len(e.Dates))
	for _, d := range e.Dates {
		found[d.UUID] = d.DateAvailability
	}
	return found
}

// samePlaces compares two availabilities without their versions.
func samePlaces(a, b adminapi.DateAvailability) bool {
	return a.Availability == b.Availability && a.RemainingPlaces == b.RemainingPlaces
}
