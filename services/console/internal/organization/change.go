package organization

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// maxChanged is how many events are changed at once, the limit of the admin service.
const maxChanged = 200

// The changes of several events at once.
const (
	changeRelease  = "release"
	changeReview   = "review"
	changeDraft    = "draft"
	changeCancel   = "cancel"
	changeAddTags  = "add_tags"
	changeSetTags  = "set_tags"
	changeAddTypes = "add_types"
	changeSetTypes = "set_types"
	changeVenue    = "venue"
)

// releaseStatuses are the release statuses after some changes.
var releaseStatuses = map[string]string{
	changeRelease: adminapi.StatusReleased, changeReview: adminapi.StatusReview,
	changeDraft: adminapi.StatusDraft, changeCancel: adminapi.StatusCancelled,
}

// changes are all of them, in the order in which they are offered.
var changes = []string{
	changeRelease, changeReview, changeDraft, changeCancel, changeAddTags, changeSetTags, changeAddTypes, changeSetTypes,
	changeVenue,
}

// changesFor returns the changes that permissions allow. Without ReleaseEvent the only move is from
// draft to review (RULES.md, Release status).
func changesFor(may permission.Set) []string {
	if !may.Has(permission.EditEvent) {
		return nil
	}
	var allowed []string
	for _, kind := range changes {
		if releaseStatuses[kind] == "" || kind == changeReview || may.Has(permission.ReleaseEvent) {
			allowed = append(allowed, kind)
		}
	}
	return allowed
}

// selection is an event that is to be changed, as it is stored, and as the person has seen it.
type selection struct {
	adminapi.Event
	ETag string // of the stored version
	Seen string // ETag of the version that the person has seen
}

// stale reports whether another person has changed the event since.
func (c selection) stale() bool { return c.Seen != "" && c.Seen != c.ETag }

// lacks are the fields that the event lacks for its release.
func (c selection) lacks() []string {
	var fields []string
	for _, item := range c.Checklist {
		if item.Required {
			fields = append(fields, item.Field)
		}
	}
	return fields
}

// change is the page that lists the events and asks for the change.
type change struct {
	t      *text.Texts
	r      *page.Request
	org    page.Organization
	events []selection
	gone   int // events that do not exist any more
	kind   string
	tags   string
	types  []string
	venue  string
	errors view.Errors

	typeOptions  []view.Option
	venueOptions []view.Option
}

// confirmChange names the events that were ticked.
func confirmChange(r *page.Request) error {
	org, err := r.OrganizationFor(permission.EditEvent)
	if err != nil {
		return err
	}
	c := change{t: r.Text, r: r, org: org}
	if err := c.read(r.Query["event"], url.Values{}); err != nil {
		return err
	}
	return c.show(http.StatusOK)
}

// show shows the page.
func (c change) show(status int) error {
	if len(c.events) == 0 {
		return c.r.Go(c.org.Path("events"), "org_none_ticked")
	}
	c.options()
	title := c.t.Count("organization.change", len(c.events))
	return c.r.Status(status).Show(view.Page{Title: title, Section: c.org.UUID, Content: changeForm(c)})
}

// read reads the events. What does not exist, or belongs to another organization, is left out.
func (c *change) read(uuids []string, seen url.Values) error {
	known := uuidsOf(uuids)
	found, reads := make([]selection, len(known)), make([]func() error, len(known))
	for i, uuid := range known {
		found[i].Seen = seen.Get("etag." + uuid)
		reads[i] = func() (err error) {
			found[i].Event, found[i].ETag, err = c.r.Admin().Event(uuid)
			if fault.Is(err, fault.NotFound) {
				return nil
			}
			return err
		}
	}
	if err := c.r.Together(reads...); err != nil {
		return err
	}
	c.events = slices.DeleteFunc(found, func(event selection) bool { return event.OrgUUID != c.org.UUID })
	c.gone = len(known) - len(c.events)
	return nil
}

// uuidsOf returns the uuids that are given, each once, and at most as many as can be changed.
func uuidsOf(given []string) (known []string) {
	for _, text := range given {
		uuid, valid := value.UUIDv7(text)
		if valid && !slices.Contains(known, uuid) && len(known) < maxChanged {
			known = append(known, uuid)
		}
	}
	return known
}

// options reads the choices of the changes. A change whose choices cannot be read has none.
func (c *change) options() {
	var types lookup.Choices
	var places []adminapi.ChoosablePlace
	_ = c.r.Together(func() (err error) {
		types, err = c.r.Lookup().Choices("event-types")
		return err
	}, func() (err error) {
		places, err = lookup.Places(c.r.Admin())
		return err
	})
	c.typeOptions = types.Options(c.types...)
	c.venueOptions = []view.Option{{Label: c.t.T("organization.change.choose_venue"), Chosen: c.venue == ""}}
	for _, place := range places {
		if place.SpaceUUID == "" {
			c.venueOptions = append(c.venueOptions, view.Option{
				Value: place.VenueUUID, Label: strings.TrimSuffix(place.VenueName+", "+string(place.City), ", "),
				Chosen: place.VenueUUID == c.venue,
			})
		}
	}
}

// formID returns the id of the form. It depends on the chosen events, so that a kept draft is not
// restored for another choice.
func (c change) formID() string {
	digest := sha256.New()
	for _, event := range c.events {
		digest.Write([]byte(event.UUID))
	}
	return "change-" + hex.EncodeToString(digest.Sum(nil)[:6])
}

// check returns the errors of the form.
func (c *change) check() view.Errors {
	c.tags = strings.TrimSpace(c.r.Form.Get("tags"))
	c.types, c.venue, c.kind = c.r.Form.Values["types"], c.r.Form.Text("venue"), c.r.Form.Get("change")
	errors := view.Errors{}
	switch {
	case !slices.Contains(changes, c.kind): // the admin service refuses forbidden ones
		errors["change"] = c.t.T("organization.change.error.change")
	case c.kind == changeAddTags && len(c.tagList()) == 0:
		errors["tags"] = c.t.T("organization.change.error.tags")
	case (c.kind == changeAddTypes || c.kind == changeSetTypes) && len(c.types) == 0:
		errors["types"] = c.t.T("organization.change.error.types")
	case c.kind == changeVenue && c.venue == "":
		errors["venue"] = c.t.T("organization.change.error.venue")
	}
	return errors
}

// body returns the change of an event.
func (c *change) body(event selection) map[string]any {
	body := map[string]any{"uuid": event.UUID, "if_match": event.Seen}
	switch c.kind {
	case changeAddTags:
		body["tags"] = joined(event.Tags, c.tagList())
	case changeSetTags:
		body["tags"] = joined(nil, c.tagList())
	case changeAddTypes:
		body["event_types"] = withTypes(event.EventTypes, c.types)
	case changeSetTypes:
		body["event_types"] = withTypes(nil, c.types)
	case changeVenue:
		body["venue_uuid"], body["space_uuid"] = c.venue, nil
	default:
		body["release_status"] = releaseStatuses[c.kind]
	}
	return body
}

// tagList returns the tags, which are separated by commas.
func (c *change) tagList() []string {
	return strings.FieldsFunc(c.tags, func(r rune) bool { return r == ',' || r == ';' || r == '\n' })
}

// joined returns tags followed by more, without duplicates, ignoring case.
func joined(tags, more []string) []string {
	all := []string{}
	for _, tag := range slices.Concat(tags, more) {
		tag = strings.TrimSpace(tag)
		same := func(known string) bool { return strings.EqualFold(known, tag) }
		if tag != "" && !slices.ContainsFunc(all, same) {
			all = append(all, tag)
		}
	}
	return all
}

// withTypes returns types followed by more, which get no genre.
func withTypes(types []adminapi.EventType, more []string) []adminapi.EventType {
	all := append([]adminapi.EventType{}, types...)
	for _, given := range more {
		id, err := strconv.Atoi(given)
		same := func(known adminapi.EventType) bool { return known.TypeID == id }
		if err == nil && !slices.ContainsFunc(all, same) {
			all = append(all, adminapi.EventType{TypeID: id})
		}
	}
	return all
}
