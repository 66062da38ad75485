package editing

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// PlannedDates are dates that may be added to an event; its uuid is "" if it does not exist yet.
type PlannedDates struct {
	NewDates
	EventUUID value.Text `json:"event_uuid"`
}

// Normalize brings every value into its stored form.
func (p *PlannedDates) Normalize() {
	p.NewDates.Normalize()
	p.EventUUID = value.Text(strings.ToLower(strings.TrimSpace(string(p.EventUUID))))
}

// Validate returns every value that breaks a rule. The dates must be normalized.
func (p *PlannedDates) Validate() fault.Violations {
	return append(p.NewDates.Validate(), p.badEvent()...)
}

func (p *PlannedDates) badEvent() (bad fault.Violations) {
	if _, valid := value.UUIDv7(string(p.EventUUID)); p.EventUUID != "" && !valid {
		bad.Add("event_uuid", reason.NotUUID)
	}
	return bad
}

// Preview is that of the dates; its fault also names a bad EventUUID.
func (p *PlannedDates) Preview() (adminapi.RuleDates, error) {
	shown, err := p.NewDates.Preview()
	bad := p.badEvent()
	if len(bad) == 0 || err != nil && !fault.Is(err, fault.Invalid) {
		return shown, err
	}
	if err != nil {
		bad = append(fault.Of(err).Violations, bad...)
	}
	return adminapi.RuleDates{}, bad.Err("invalid_date", "the date is not valid")
}

// PreviewDates returns the dates that would be added, in order of their start, with the warnings
// that adding them would answer, and stores nothing. The faults: Invalid, which names every bad
// field, and NotFound for the event or venue of a stranger.
func (e *Editor) PreviewDates(ctx context.Context, asked *PlannedDates) (adminapi.RuleDates, error) {
	asked.Normalize()
	shown, err := asked.Preview()
	if err != nil {
		return adminapi.RuleDates{}, err
	}
	dates, _, err := asked.expand()
	if err != nil {
		return adminapi.RuleDates{}, err
	}
	err = e.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		planned, err := planIn(ctx, tx, string(asked.EventUUID), dates)
		if err != nil {
			return err
		}
		shown.Warnings, err = warnOfDates(ctx, tx, e, nil, planned)
		return err
	})
	return shown, err
}

// planIn returns an event with only these dates: the stored one of that uuid or, if that is "", one
// of the organization of the venue where the dates take place.
func planIn(ctx context.Context, tx pgx.Tx, event string, dates []rules.Date) (*rules.Event, error) {
	planned := &rules.Event{ReleaseStatus: rules.StatusDraft}
	var stored *rules.Event
	if event != "" {
		found, err := getIn(ctx, tx, events, event)
		if err != nil {
			return nil, atField(err, "event_uuid")
		}
		stored = found.Answer
		whole := *stored
		planned = &whole
	}
	planned.Dates = dates
	for _, c := range claimVenues(stored, planned) {
		org, err := requireAt(ctx, tx, c.at, 0)
		if stored != nil && fault.Is(err, fault.NotFound) {
			err = requireOpen(ctx, tx, c.at.key, guest{stored.UUID, stored.OrgUUID}, err)
		}
		if err != nil {
			return nil, atField(err, "venue_uuid")
		}
		if stored == nil {
			planned.OrgUUID = org
		}
	}
	return planned, nil
}
