package editing

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/recurrence"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/auth"
)

// WrittenDates are the dates of an event that an operation has written: the one that the request
// names or the first of several, and all of them in the order of their starts.
type WrittenDates struct {
	EventUUID string `json:"event_uuid"`
	DateUUID  string `json:"event_date_uuid"`
	rules.Date
	Dates []rules.Date `json:"dates"`
}

// RemovedDates are the dates that an operation has removed: the one that the request names, and all
// of them.
type RemovedDates struct {
	UUID      string   `json:"uuid"`
	EventUUID string   `json:"event_uuid"`
	DateUUID  string   `json:"event_date_uuid"`
	DateUUIDs []string `json:"event_date_uuids"`
}

// AddDates adds to an event a date, or the dates of a rule. It returns the faults of update;
// violations name the fields of NewDates, or "dates" for too many dates.
func (e *Editor) AddDates(ctx context.Context, at Target, asked *NewDates) (Versioned[WrittenDates], error) {
	return e.writeDates(ctx, at, func(event *rules.Event) ([]rules.Date, error) {
		added, repeated, err := asked.expand()
		event.Dates, event.DateRules = append(event.Dates, added...), append(event.DateRules, repeated...)
		return added, err
	})
}

// UpdateDates applies an edit to the date at.Part of an event and, with a scope, its changes to
// further dates of the rule (editDates). The dates from which on a rule is changed become a rule of
// their own. It returns the faults of update, with violations naming the fields of the date, and
// NotFound when the event has no such date.
func (e *Editor) UpdateDates(
	ctx context.Context, at Target, edit func(*rules.Date) error,
) (Versioned[WrittenDates], error) {
	return e.writeDates(ctx, at, func(event *rules.Event) ([]rules.Date, error) {
		chosen, scope, err := chooseDate(event, at)
		if err != nil {
			return nil, err
		}
		affected := affectedDates(event, chosen, scope)
		changed := slices.Clone(affected)
		if err := editDates(changed, chosen, edit); err != nil {
			return nil, err
		}
		if reflect.DeepEqual(affected, changed) {
			return changed, nil
		}
		replaceDates(event, changed)
		if scope == recurrence.Following {
			err = splitRule(event, chosen)
		}
		return changed, err
	})
}

// RemoveDates removes the date at.Part of an event, and with a scope further dates of its rule,
// which then no longer names them. A password, if one is given, must be right. The faults are those
// of update, NotFound when the event has no such date, and Forbidden for a wrong password.
func (e *Editor) RemoveDates(ctx context.Context, at Target, password string) (Versioned[RemovedDates], error) {
	if err := e.confirmRemoval(ctx, at, password); err != nil {
		return Versioned[RemovedDates]{}, err
	}
	var removed []string
	updated, err := update(ctx, e, events, at, func(event *rules.Event) error {
		chosen, scope, err := chooseDate(event, at)
		if err != nil {
			return err
		}
		removed = uuidsOf(affectedDates(event, chosen, scope))
		_, event.Dates = pickDates(event.Dates, removed)
		return leaveOut(event, chosen, scope)
	})
	if err != nil {
		return Versioned[RemovedDates]{}, ofDate(err)
	}
	answer := RemovedDates{UUID: at.Part, EventUUID: at.Key, DateUUID: at.Part, DateUUIDs: removed}
	return Versioned[RemovedDates]{Version: updated.Version, Answer: answer, Warnings: updated.Warnings}, nil
}

// writeDates runs an edit of an event that returns the dates that it writes, and returns their
// stored form.
func (e *Editor) writeDates(
	ctx context.Context, at Target, edit func(*rules.Event) ([]rules.Date, error),
) (Versioned[WrittenDates], error) {
	var uuids []string
	updated, err := update(ctx, e, events, at, func(event *rules.Event) error {
		dates, err := edit(event)
		uuids = uuidsOf(dates)
		return err
	})
	if err != nil {
		return Versioned[WrittenDates]{}, ofDate(err)
	}
	answer := WrittenDates{EventUUID: at.Key, DateUUID: at.Part}
	answer.Dates, _ = pickDates(updated.Answer.Dates, uuids)
	if answer.DateUUID == "" {
		answer.DateUUID = answer.Dates[0].UUID
	}
	warnings := warningsOfDates(updated.Warnings, updated.Answer.Dates, answer.Dates)
	answer.Date = answer.Dates[slices.Index(uuidsOf(answer.Dates), answer.DateUUID)]
	return Versioned[WrittenDates]{Version: updated.Version, Answer: answer, Warnings: warnings}, nil
}

// warningsOfDates names the dates of warnings by their positions among the written ones.
func warningsOfDates(warnings []adminapi.Warning, all, written []rules.Date) []adminapi.Warning {
	places := make(map[string]int, len(written))
	for place, date := range written {
		places[date.UUID] = place
	}
	fields := map[string]string{}
	for i, date := range all {
		if place, ok := places[date.UUID]; ok {
			fields[dateField(i)] = dateField(place)
		}
	}
	for i, warning := range warnings {
		if field, ok := fields[warning.Field]; ok {
			warnings[i].Field = field
		}
	}
	return warnings
}

// chooseDate returns the date of an event that a target names, and the scope.
func chooseDate(event *rules.Event, at Target) (rules.Date, recurrence.Scope, error) {
	place := slices.Index(uuidsOf(event.Dates), at.Part)
	if place < 0 {
		return rules.Date{}, "", fault.New(fault.NotFound, "date_not_found", "there is no such date")
	}
	chosen := event.Dates[place]
	scope, err := recurrence.ReadScope(at.Scope, inRule(chosen))
	return chosen, scope, err
}

// affectedDates returns the dates of an event to which a change of the chosen one applies.
func affectedDates(event *rules.Event, chosen rules.Date, scope recurrence.Scope) []rules.Date {
	dates := make([]recurrence.Date, len(event.Dates))
	for i, date := range event.Dates {
		dates[i] = inRule(date)
	}
	var uuids []string
	for _, date := range recurrence.Affected(dates, inRule(chosen), scope) {
		uuids = append(uuids, date.UUID)
	}
	affected, _ := pickDates(event.Dates, uuids)
	return affected
}

// pickDates splits dates into the ones with the uuids and the others.
func pickDates(dates []rules.Date, uuids []string) (picked, others []rules.Date) {
	wanted := make(map[string]bool, len(uuids))
	for _, uuid := range uuids {
		wanted[uuid] = true
	}
	for _, date := range dates {
		if wanted[date.UUID] {
			picked = append(picked, date)
		} else {
			others = append(others, date)
		}
	}
	return picked, others
}

func inRule(d rules.Date) recurrence.Date {
	return recurrence.Date{UUID: d.UUID, RuleID: string(d.RuleUUID), Original: string(d.RecurrenceID)}
}

// replaceDates replaces the dates that have the uuids of changed ones.
func replaceDates(event *rules.Event, changed []rules.Date) {
	byUUID := make(map[string]rules.Date, len(changed))
	for _, date := range changed {
		byUUID[date.UUID] = date
	}
	for i, date := range event.Dates {
		if after, ok := byUUID[date.UUID]; ok {
			event.Dates[i] = after
		}
	}
}

func uuidsOf(dates []rules.Date) []string {
	uuids := make([]string, len(dates))
	for i, date := range dates {
		uuids[i] = date.UUID
	}
	return uuids
}

// ofDate makes a fault about dates[3].start_time one about start_time: a request on dates names the
// fields of a date.
func ofDate(err error) error {
	f := fault.Of(err)
	if f == nil || len(f.Violations) == 0 {
		return err
	}
	named := *f
	named.Violations = nil
	for _, violation := range f.Violations {
		if list, field, ok := strings.Cut(violation.Field, "]."); ok && strings.HasPrefix(list, "dates[") {
			violation.Field = field
		}
		same := func(v fault.Violation) bool { return v.Field == violation.Field && v.Reason == violation.Reason }
		if !slices.ContainsFunc(named.Violations, same) {
			named.Violations = append(named.Violations, violation)
		}
	}
	return &named
}

// confirmRemoval checks the password of a user, after the right to remove.
func (e *Editor) confirmRemoval(ctx context.Context, at Target, password string) error {
	if password == "" || auth.PrincipalOf(ctx).APIKey != "" {
		return nil
	}
	err := e.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		_, _, err := events.loadToWrite(ctx, tx, at, events.editRight)
		return err
	})
	if err != nil {
		return err
	}
	return e.Confirm(ctx, password)
}
