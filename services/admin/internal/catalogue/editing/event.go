package editing

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// EventView is an event as its members see it: everything that can be written, in the same fields,
// the names of its organization and place, and a checklist of missing fields.
type EventView struct {
	*rules.Event
	OrgName   string                      `json:"org_name"`
	VenueName value.Text                  `json:"venue_name"`
	SpaceName value.Text                  `json:"space_name"`
	TakenBack *rules.Takedown             `json:"taken_back"` // nil for an event that is not
	Checklist []adminapi.ChecklistItem    `json:"checklist"`
	Named     []adminapi.NamedContributor `json:"named_contributors"` // never nil
}

// viewOfEvent returns the view of a stored event.
func viewOfEvent(
	ctx context.Context, tx pgx.Tx, stored Versioned[*rules.Event],
) (shown Versioned[EventView], err error) {
	e := stored.Answer
	place, err := store.ReadEventPlace(ctx, tx, e.UUID)
	if err != nil {
		return shown, err
	}
	named, err := store.NamedContributors(ctx, tx, e.UUID)
	if err != nil {
		return shown, err
	}
	view := EventView{
		Named: named,
		Event: e, OrgName: place.OrgName, VenueName: place.VenueName, SpaceName: place.SpaceName,
		TakenBack: place.TakenBack, Checklist: []adminapi.ChecklistItem{},
	}
	for _, missing := range e.Missing() {
		view.Checklist = append(view.Checklist, adminapi.ChecklistItem{
			Field: missing.Field, Required: missing.Required != nil, Message: missing.Message,
			Kind: string(rules.KindEvent), UUID: e.UUID,
		})
	}
	for _, unknown := range place.Unknown {
		view.Checklist = append(view.Checklist, adminapi.ChecklistItem{
			Field: "accessibility_flags", Message: "is missing: " + unknown.Name + " says nothing about accessibility",
			Kind: string(unknown.Kind), UUID: unknown.UUID,
		})
	}
	for _, unplaced := range place.Unplaced {
		view.Checklist = append(view.Checklist, adminapi.ChecklistItem{
			Field: "lat", Message: "is missing: " + unplaced.Name + " is on no map, and found by no search nearby",
			Kind: string(unplaced.Kind), UUID: unplaced.UUID,
		})
	}
	for _, hidden := range place.Hidden {
		view.Checklist = append(view.Checklist, adminapi.ChecklistItem{
			Field: "venue_uuid", Message: notShown(hidden.Name), Kind: string(hidden.Kind), UUID: hidden.UUID,
		})
	}
	for _, asked := range place.Asked {
		view.Checklist = append(view.Checklist, adminapi.ChecklistItem{
			Field: "use", Required: !e.HasPlace(), Message: "waits for the owner of " + asked.Name + " to accept the event",
			Kind: string(asked.Kind), UUID: asked.UUID,
		})
	}
	return Versioned[EventView]{Version: stored.Version, Answer: view, Warnings: stored.Warnings}, nil
}

// Event returns an event to the members of its organization. A stranger's is a NotFound fault.
func (e *Editor) Event(ctx context.Context, event string) (found Versioned[EventView], err error) {
	err = e.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		stored, err := getIn(ctx, tx, events, event)
		if err != nil {
			return err
		}
		found, err = viewOfEvent(ctx, tx, stored)
		return err
	})
	return found, err
}

// CreateEvent adds an event and gives it, its dates and links their uuids. It needs AddEvent and
// ChooseAsEventOrganization in the organization, ChooseVenue where another organization's venue is
// used, and ReleaseEvent unless the event is a draft or in review. It returns the faults of create,
// and Conflict for a status that no event begins with.
func (e *Editor) CreateEvent(ctx context.Context, event *rules.Event) (created Versioned[EventView], err error) {
	return e.insertEvent(ctx, event, e.begin(event))
}

// insertEvent stores a new event. refused is a fault of it that is known already, nil for none.
func (e *Editor) insertEvent(
	ctx context.Context, event *rules.Event, refused error,
) (created Versioned[EventView], err error) {
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		stored, err := createIn(ctx, tx, e, events, event, refused)
		if err != nil {
			return err
		}
		created, err = viewOfEvent(ctx, tx, stored)
		return err
	})
	return created, err
}

// begin gives a new event its uuids, and refuses uuids chosen by the client, a video at another
// host than the allowed ones, and a status that no event begins with.
func (e *Editor) begin(event *rules.Event) (err error) {
	refused := e.checkVideo(&rules.Event{}, event)
	if event.UUID, err = newUUID(); err != nil {
		return err
	}
	for i := range event.Dates {
		if event.Dates[i].UUID != "" {
			refused.Add(dateField(i)+".uuid", reason.FromClient)
		}
		if _, given := event.Dates[i].AvailabilityVersion.Number(); given {
			refused.Add(dateField(i)+".availability_version", reason.FromClient)
		}
		if event.Dates[i].UUID, err = newUUID(); err != nil {
			return err
		}
	}
	for i, link := range event.EventLinks {
		if link.UUID != "" {
			refused.Add(fmt.Sprintf("event_links[%d].uuid", i), reason.FromClient)
		}
	}
	if len(refused) > 0 {
		event.Normalize()
		return invalid(rules.KindEvent, append(refused, event.Validate()...))
	}
	return checkMove(&rules.Event{ReleaseStatus: rules.StatusDraft}, event)
}

// UpdateEvent applies an edit to an event. It needs EditEvent, also where the event moves to,
// ChooseVenue where it newly uses another organization's venue, and ReleaseEvent for every edit of
// a public event and every move of the status except between draft and review. It returns the
// faults of update, and Conflict for a status that cannot follow the current one or that would
// publish an event that is taken back, and for a release date in the future of an event that is
// public.
func (e *Editor) UpdateEvent(
	ctx context.Context, at Target, edit func(*rules.Event) error,
) (updated Versioned[EventView], err error) {
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		stored, err := updateIn(ctx, tx, e, events, at, edit)
		if err != nil {
			return err
		}
		updated, err = viewOfEvent(ctx, tx, stored)
		return err
	})
	return updated, err
}

// RemoveEvent deletes an event with its dates, links and images. It needs DeleteEvent. It returns
// the faults of remove.
func (e *Editor) RemoveEvent(ctx context.Context, at Target, password string) error {
	return remove(ctx, e, events, at, password)
}

// checkEvent is checkRelease, and leaves the prices to the tariffs where the edit does not set
// them: the stored ones were derived from former tariffs. The translations of dates go with them.
// Where a box office has been faster, the availability of a date stays.
func checkEvent(e *Editor, before, after *rules.Event) error {
	after.FollowTariffs(before)
	after.DropTextsOfDates(before)
	if refused := after.KeepNewerAvailabilities(before); len(refused) > 0 {
		after.Normalize()
		return invalid(rules.KindEvent, withOthers(refused, after.Validate()))
	}
	return checkRelease(e, before, after)
}

// completeEvent gives links their uuids and availabilities their versions, and notes what visitors
// should know of an edit. It refuses texts that are too long for as many dates.
func completeEvent(before, after *rules.Event) error {
	if refused := after.CheckSearched(before); len(refused) > 0 {
		return invalid(rules.KindEvent, refused)
	}
	if refused := after.CountAvailabilities(before); len(refused) > 0 {
		return invalid(rules.KindEvent, refused)
	}
	after.NoteChanges(before, time.Now())
	return completeLinks(before, after)
}

// checkVideo refuses a new video that is not at one of the allowed hosts. Validate refuses other
// schemes than https. A stored video stays when the hosts change.
func (e *Editor) checkVideo(before, after *rules.Event) (refused fault.Violations) {
	link := strings.TrimSpace(string(after.VideoLink))
	if link != string(before.VideoLink) && strings.HasPrefix(link, "https://") && !e.VideoHosts.Allow(link) {
		refused.Add("video_link", reason.NotVideoHost(e.VideoHosts))
	}
	return refused
}

// checkRelease is checkMove, and refuses a video that is not allowed, and to give an event that is
// public a release date in the future: it would vanish until then.
func checkRelease(e *Editor, before, after *rules.Event) error {
	if refused := e.checkVideo(before, after); len(refused) > 0 {
		after.Normalize()
		return invalid(rules.KindEvent, append(refused, after.Validate()...))
	}
	if err := checkMove(before, after); err != nil {
		return err
	}
	later := func(event *rules.Event) bool { return event.ReleaseDate != nil && event.ReleaseDate.After(e.Now()) }
	if !isPublic(before) || later(before) || !isPublic(after) || !later(after) {
		return nil
	}
	refused := fault.New(fault.Conflict, "already_public",
		"the event is public: withdraw it before it gets a release date in the future")
	refused.Violations = fault.Violations{fault.Violate("release_date", reason.NotWhilePublic)}
	return refused
}

// checkMove refuses a release status that does not follow the one before (RULES.md, Release
// status). A status that does not exist is left to Validate.
func checkMove(before, after *rules.Event) error {
	from, to := before.ReleaseStatus, strings.ToLower(strings.TrimSpace(after.ReleaseStatus))
	if to == "" && from == rules.StatusDraft || !rules.KnownStatus(to) || rules.MayBecome(from, to) {
		return nil
	}
	refused := fault.New(fault.Conflict, "status_not_reachable", "an event that is %s cannot become %s", from, to)
	refused.Violations = fault.Violations{fault.Violate("release_status", reason.StatusNotAfter(from))}
	return refused
}
