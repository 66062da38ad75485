package editing

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/publish/outbox"
)

// Series returns a series to the members of its organization. A stranger's is a NotFound fault.
func (e *Editor) Series(ctx context.Context, series string) (Versioned[*rules.Series], error) {
	return get(ctx, e, manySeries, series)
}

// CreateSeries adds a series and gives it its uuid. It needs EditOrganization in its organization.
// It returns the faults of create.
func (e *Editor) CreateSeries(ctx context.Context, s *rules.Series) (created Versioned[*rules.Series], err error) {
	if s.UUID, err = newUUID(); err != nil {
		return created, err
	}
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		created, err = createIn(ctx, tx, e, manySeries, s, refuseParts(e, nil, s))
		return err
	})
	return created, err
}

// UpdateSeries applies an edit to a series. It needs EditOrganization, also where it moves to. It
// returns the faults of update.
func (e *Editor) UpdateSeries(
	ctx context.Context, at Target, edit func(*rules.Series) error,
) (Versioned[*rules.Series], error) {
	return update(ctx, e, manySeries, at, edit)
}

// RemoveSeries deletes a series. Its events stay, and no longer belong to it. It needs
// EditOrganization. It returns the faults of remove.
func (e *Editor) RemoveSeries(ctx context.Context, at Target, password string) error {
	return remove(ctx, e, manySeries, at, password)
}

// DecideSeries accepts an event into a series, or refuses it, also after another decision. It needs
// EditOrganization in the organization of the series, and no right to the event. The same decision
// again changes nothing. The faults: NotFound for a stranger's series, and for an event that does
// not ask to belong to it; Forbidden; TooMany for more than ten decisions in an hour on an event of
// another organization.
func (e *Editor) DecideSeries(ctx context.Context, series, event string, accepted bool) (state string, err error) {
	state = adminapi.SeriesRefused
	if accepted {
		state = adminapi.SeriesAccepted
	}
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		org, err := access.RequireSeries(ctx, tx, auth.PrincipalOf(ctx), series, permission.EditOrganization)
		if err != nil {
			return err
		}
		decided, err := e.decideSeries(ctx, tx, series, event, state)
		if err != nil || decided == nil {
			return err
		}
		if err := e.notifyDecided(ctx, tx, series, decided, state); err != nil {
			return err
		}
		return e.record(ctx, tx, rules.KindSeries, "decide", series, []string{org, decided.OrgUUID},
			nil, map[string]string{"event_uuid": event, "state": state})
	})
	return state, err
}

// decideSeries sets the state of an event in a series. It returns the event, nil if it had that
// state.
func (e *Editor) decideSeries(ctx context.Context, tx pgx.Tx, series, event, state string) (*rules.Event, error) {
	found, err := store.Events.Read(ctx, tx, []string{event})
	if err != nil {
		return nil, err
	}
	stored, exists := found[event]
	if !exists || stored.Entity.SeriesState(series) == "" {
		return nil, fault.New(fault.NotFound, "series_event_not_found", "the event does not ask to belong to the series")
	}
	if stored.Entity.SeriesState(series) == state {
		return nil, nil
	}
	guests := guestsOf()
	guests.settle, guests.checkEdit = nil, nil
	_, err = updateIn(ctx, tx, e, guests, Target{Key: event}, func(edited *rules.Event) error {
		at := slices.IndexFunc(edited.Series, func(of rules.EventSeries) bool { return of.SeriesUUID == series })
		if at >= 0 { // else it has left since
			edited.Series[at].State = state
		}
		return nil
	})
	return stored.Entity, err
}

// notifyDecided notifies the organization of an event of another one's decision.
func (e *Editor) notifyDecided(ctx context.Context, tx pgx.Tx, series string, event *rules.Event, state string) error {
	known, err := store.AllSeries.Read(ctx, tx, []string{series})
	if err != nil || known[series].Entity == nil || known[series].Entity.OrgUUID == event.OrgUUID {
		return err
	}
	if err := e.Limiter.CountIn(ctx, tx, decidingSeries, series+"/"+event.UUID); err != nil {
		return err
	}
	return e.NotifySeries(ctx, tx, known[series].Entity, event, state)
}

// settleSeries leaves the decision on the series of an event to the organizations of the series:
// an event that asks belongs at once to the series of its own organization, and stays in the others
// in the state that it has, unless it moves to another organization. These are notified when it
// asks.
func settleSeries(ctx context.Context, tx pgx.Tx, e *Editor, before, after *rules.Event) error {
	if len(after.Series) == 0 {
		return nil
	}
	asked := make([]string, len(after.Series))
	for i, of := range after.Series {
		asked[i] = of.SeriesUUID
	}
	known, err := store.AllSeries.Read(ctx, tx, asked)
	if err != nil {
		return err
	}
	for i := range after.Series {
		of := &after.Series[i]
		series := known[of.SeriesUUID].Entity
		switch state := decided(before, after, of.SeriesUUID); {
		case state != "":
			of.State = state
		case series == nil || series.OrgUUID == after.OrgUUID: // one that is not known is refused later
			of.State = adminapi.SeriesAccepted
		default:
			of.State = adminapi.SeriesAsked
			if err := e.ask(ctx, tx, series, after); err != nil {
				return err
			}
		}
	}
	return nil
}

// requireVisibleSeries returns a NotFound fault unless the public or the principal sees a series:
// an event must not ask for one that strangers do not know of.
func requireVisibleSeries(ctx context.Context, tx pgx.Tx, series string) error {
	if _, valid := value.UUIDv7(series); !valid { // of an event that is refused
		return errNoSeries()
	}
	_, unseen := access.RequireSeries(ctx, tx, auth.PrincipalOf(ctx), series, 0)
	if !fault.Is(unseen, fault.NotFound) {
		return unseen
	}
	known, err := store.AllSeries.Read(ctx, tx, []string{series})
	if err != nil {
		return err
	}
	if one := known[series].Entity; one != nil && one.Public {
		approval, err := store.ReadApproval(ctx, tx, one.OrgUUID)
		if err != nil || approval.State == adminapi.ApprovalApproved {
			return err
		}
	}
	return unseen
}

func errNoSeries() error {
	return fault.New(fault.NotFound, "series_not_found", "there is no such series")
}

// decided returns the state in a series that an event keeps, "" for none. One that moves to another
// organization keeps only a refusal: it was accepted as an event of the former one.
func decided(before, after *rules.Event, series string) string {
	if before == nil {
		return ""
	}
	state := before.SeriesState(series)
	if before.OrgUUID != after.OrgUUID && state != adminapi.SeriesRefused {
		return ""
	}
	return state
}

// The limits bound the mails to strangers that an organization causes, by asking and by deciding on
// one event of another organization.
var (
	askingSeries   = auth.Limit{Action: "series_request", Max: 60, Window: time.Hour}
	decidingSeries = auth.Limit{Action: "series_decision", Max: 10, Window: time.Hour}
)

// ask notifies the organization of a series that an event asks to belong to it, unless it knows of
// others that wait.
func (e *Editor) ask(ctx context.Context, tx pgx.Tx, series *rules.Series, event *rules.Event) error {
	if waiting, err := store.SeriesAwaits(ctx, tx, series.UUID); err != nil || waiting {
		return err
	}
	if err := e.Limiter.CountIn(ctx, tx, askingSeries, event.OrgUUID); err != nil {
		return err
	}
	return e.NotifySeries(ctx, tx, series, event, adminapi.SeriesAsked)
}

// refuseParts refuses parts with uuids that the series does not have. Dates are found by the uuids
// of series and of parts alike: a part with the uuid of another series would add its dates to that.
func refuseParts(_ *Editor, before, after *rules.Series) error {
	var stored []adminapi.SeriesPart
	if before != nil {
		stored = before.Parts
	}
	after.Normalize()
	var bad fault.Violations
	for i, part := range after.Parts {
		same := func(known adminapi.SeriesPart) bool { return known.UUID == part.UUID }
		if part.UUID != "" && !slices.ContainsFunc(stored, same) {
			bad.Add(fmt.Sprintf("parts[%d].uuid", i), reason.UnknownOrHidden)
		}
	}
	if len(bad) == 0 {
		return nil
	}
	return invalid(rules.KindSeries, withOthers(bad, after.Validate()))
}

// completeParts gives parts without a uuid the uuid of the stored part of the same kind and title,
// or else a new one.
func completeParts(before, after *rules.Series) error {
	var stored []adminapi.SeriesPart
	if before != nil {
		stored = slices.DeleteFunc(slices.Clone(before.Parts), func(known adminapi.SeriesPart) bool {
			return slices.ContainsFunc(after.Parts, func(part adminapi.SeriesPart) bool { return part.UUID == known.UUID })
		})
	}
	for i := range after.Parts {
		part := &after.Parts[i]
		if part.UUID != "" {
			continue
		}
		same := slices.IndexFunc(stored, func(known adminapi.SeriesPart) bool {
			return known.Kind == part.Kind && known.Title == part.Title
		})
		if same >= 0 {
			part.UUID = stored[same].UUID
			stored = slices.Delete(stored, same, same+1)
			continue
		}
		var err error
		if part.UUID, err = newUUID(); err != nil {
			return err
		}
	}
	return nil
}

// leaveParts counts a write of the events whose dates lose their part.
func leaveParts(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Series]) error {
	var gone []string
	for _, d := range diffs {
		if d.before != nil {
			gone = append(gone, store.GoneParts(d.before, d.after)...)
		}
	}
	return store.TouchEventsOfParts(ctx, tx, gone)
}

// releaseEvents takes the events of a series out of it.
func releaseEvents(ctx context.Context, tx pgx.Tx, series string) error {
	events, err := store.TouchEventsOfSeries(ctx, tx, series)
	if err != nil || len(events) == 0 {
		return err
	}
	return outbox.Enqueue(ctx, tx, change.KindEvent, events)
}
