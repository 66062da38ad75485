package place

import (
	"encoding/json"
	"net/url"
	"slices"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/venue"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// sectionView is the section of an event's page as it is drawn.
type sectionView struct {
	*page.Request
	event    adminapi.Event
	venue    *adminapi.FoundVenue // that of the event; nil for none, or when it cannot be read
	may      permission.Set
	choice   view.State // of the venue and the space
	online   view.State
	clashes  []clash
	asked    venue.Query
	found    *adminapi.FoundVenues   // nil: the search has not begun
	requests []adminapi.VenueRequest // of the event, for venues of others
}

// Section returns the section of an event's page about where it takes place. tag is the ETag of
// the event; may has the person's permissions for it.
func Section(r *page.Request, e adminapi.Event, _ string, may permission.Set) (templ.Component, error) {
	s := viewOf(r, e, may)
	s.readRequests()
	return section(s), nil
}

func viewOf(r *page.Request, e adminapi.Event, may permission.Set) sectionView {
	values := version.ValuesOf(e)
	return sectionView{
		Request: r, event: e, may: may, venue: chosenVenue(r, e),
		choice: view.State{Base: values.DigestOf(venue.ChoiceKeys...)},
		online: view.State{Base: values.DigestOf("online_link")},
	}
}

// locked reports whether the person may only read the event.
func (s sectionView) locked() bool { return !s.may.Has(permission.EditEvent) }

// onlineApart reports whether the page has the address on the network in the form of the event's
// other fields: visitors see the event, or there are no scripts.
func (s sectionView) onlineApart() bool {
	return !s.locked() && (s.event.Public(s.Now) || !s.Scripts())
}

// hidden reports whether visitors do not see the venue because its organization is not approved.
func (s sectionView) hidden() bool {
	return slices.ContainsFunc(s.event.Checklist, func(item adminapi.ChecklistItem) bool {
		return item.Kind == "venue" && item.Field == "venue_uuid"
	})
}

// isMember reports whether the person belongs to the organization of the venue, whose pages in the
// console only its members see.
func (s sectionView) isMember() bool { return s.venue != nil && s.Rights(s.venue.OrgUUID) != 0 }

// venuePage is the page of the venue: in the console, or where visitors see it.
func (s sectionView) venuePage() string {
	uuid := string(s.event.VenueUUID)
	if s.isMember() {
		return venue.Path(uuid)
	}
	return "/venue/" + url.PathEscape(uuid)
}

func (s sectionView) address(more string) string {
	return page.EventPath(s.event.UUID) + "/place" + more
}

// eventOf reads an event back from its fields.
func eventOf(values version.Values) (e adminapi.Event) {
	if encoded, err := json.Marshal(values); err == nil {
		_ = json.Unmarshal(encoded, &e) // fields of another version of the contract stay empty
	}
	return e
}

// chosenVenue returns the venue of an event; nil where the person may not choose it, as with one
// that a colleague chose.
func chosenVenue(r *page.Request, e adminapi.Event) *adminapi.FoundVenue {
	if e.VenueUUID == "" {
		return nil
	}
	return venue.Choosable(r, e.OrgUUID, string(e.VenueUUID), string(e.VenueName))
}

// hasSpaces reports whether there is a space to choose.
func (s sectionView) hasSpaces() bool { return s.venue != nil && len(s.venue.Spaces) > 0 }
