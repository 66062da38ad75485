package event

import (
	"net/url"
	"strconv"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
)

// access is the accessibility of a venue, or of a space of it.
type access struct {
	name    string
	words   string // the facts that hold; "" for none, and for unknown ones
	known   bool   // whether any facts hold is known
	summary string
	foreign bool   // it belongs to an organization of which the person is no member
	edit    string // the page on which the person may say it; "" for a person who may not
}

// access returns the accessibility of the venue and the space of the event; none when they cannot
// be read.
func (s *sheet) access() []access {
	if s.event.VenueUUID == "" {
		return nil
	}
	var venue adminapi.Venue
	var space *adminapi.Space // nil when it cannot be read
	err := s.Together(func() (err error) {
		venue, err = s.Admin().Venue(string(s.event.VenueUUID))
		return err
	}, func() error {
		space = s.readSpace()
		return nil
	})
	if err != nil {
		return s.publicAccess()
	}
	may := s.Rights(venue.OrgUUID)
	at := s.accessAt(venue.Name, venue.AccessibilityFlags, string(venue.AccessibilitySummary))
	if may.Has(permission.EditVenue) {
		at.edit = page.Root + "/venue/" + url.PathEscape(venue.UUID) + "#accessibility_flags"
	}
	if space == nil {
		return []access{at}
	}
	in := s.accessAt(space.Name, space.AccessibilityFlags, string(space.AccessibilitySummary))
	if may.Has(permission.EditSpace) {
		in.edit = page.Root + "/space/" + url.PathEscape(space.UUID) + "#accessibility_flags"
	}
	return []access{at, in}
}

// readSpace returns the space of the event; nil for none, and for one that cannot be read.
func (s *sheet) readSpace() *adminapi.Space {
	if s.event.SpaceUUID == "" {
		return nil
	}
	space, err := s.Admin().Space(string(s.event.SpaceUUID))
	if err != nil {
		return nil
	}
	return &space
}

// publicAccess is access from the public API, for a venue that the person may not read in the
// admin service.
func (s *sheet) publicAccess() []access {
	venue, err := s.Public().Venue(string(s.event.VenueUUID))
	if err != nil {
		return nil
	}
	all := []access{s.accessAt(venue.Name, venue.AccessibilityFlags, venue.AccessibilitySummary)}
	for _, space := range venue.Spaces {
		if space.UUID == string(s.event.SpaceUUID) {
			all = append(all, s.accessAt(space.Name, space.AccessibilityFlags, space.AccessibilitySummary))
		}
	}
	for i := range all {
		all[i].foreign = true
	}
	return all
}

// accessAt writes the facts of a place.
func (s *sheet) accessAt(name string, flags *value.Mask, summary string) access {
	at := access{name: name, known: flags != nil, summary: summary}
	if flags == nil {
		return at
	}
	var words []string
	for _, flag := range s.sets.Accessibility {
		bit, err := strconv.Atoi(flag.ID)
		if err == nil && bit >= 0 && bit < 64 && *flags&(1<<bit) != 0 {
			words = append(words, flag.Name)
		}
	}
	at.words = strings.Join(words, ", ")
	return at
}

// remarks are the dates that have a remark on accessibility of their own.
func (s *sheet) remarks() []adminapi.Date {
	var all []adminapi.Date
	for _, date := range s.event.Dates {
		if date.AccessibilityInfo != "" {
			all = append(all, date)
		}
	}
	return all
}
