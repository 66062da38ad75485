package editing

import (
	"reflect"
	"slices"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/recurrence"
	"litfass/services/admin/internal/catalogue/rules"
)

// NewDates are a date to add and its repetition; without a repetition it is one date of no rule.
type NewDates struct {
	rules.Date
	adminapi.Repetition
}

// Preview returns the dates that would be added, in order of their start, without warnings. The
// fault is Invalid and names every bad field.
func (n *NewDates) Preview() (adminapi.RuleDates, error) {
	rule, occurrences, err := n.read()
	if err != nil {
		return adminapi.RuleDates{}, err
	}
	shown := adminapi.RuleDates{Repetition: adminapi.Repetition{RRule: rule.RRule, RDate: rule.RDate, ExDate: rule.ExDate}}
	for _, o := range occurrences {
		shown.Dates = append(shown.Dates, adminapi.RuleDate{
			RecurrenceID: o.ID(), StartDate: o.StartDate, StartTime: value.Text(o.StartTime),
			EndDate: value.Text(o.EndDate), EndTime: value.Text(o.EndTime), AllDay: rule.AllDay,
		})
	}
	return shown, nil
}

// read checks the date and its repetition together. The rule has no uuid yet.
func (n *NewDates) read() (rule rules.DateRule, occurrences []recurrence.Occurrence, err error) {
	n.Normalize()
	if n.UUID, err = newUUID(); err != nil {
		return rule, nil, err
	}
	series := recurrence.Series{
		StartDate: n.StartDate, StartTime: string(n.StartTime), EndDate: string(n.EndDate), EndTime: string(n.EndTime),
		AllDay: n.AllDay, RRule: string(n.RRule), RDate: n.RDate, ExDate: n.ExDate,
	}
	bad := n.Validate()
	if _, given := n.AvailabilityVersion.Number(); given {
		bad.Add("availability_version", reason.FromClient)
	}
	if occurrences, err = recurrence.Expand(series); err != nil {
		for _, violation := range fault.Of(err).Violations {
			named := func(v fault.Violation) bool { return v.Field == violation.Field }
			if !slices.ContainsFunc(bad, named) {
				bad = append(bad, violation)
			}
		}
	}
	if err := bad.Err("invalid_date", "the date is not valid"); err != nil {
		return rule, nil, err
	}
	rule, err = rules.NewDateRule("", series)
	return rule, occurrences, err
}

// expand returns the dates to add and their rule, if they have one.
func (n *NewDates) expand() (dates []rules.Date, repeated []rules.DateRule, err error) {
	rule, occurrences, err := n.read()
	if err != nil {
		return nil, nil, err
	}
	if rule.RRule == "" && len(rule.RDate)+len(rule.ExDate) == 0 {
		return []rules.Date{n.Date}, nil, nil
	}
	if rule.UUID, err = newUUID(); err != nil {
		return nil, nil, err
	}
	for _, o := range occurrences {
		date := n.Date
		if date.UUID, err = newUUID(); err != nil {
			return nil, nil, err
		}
		date.StartDate, date.StartTime = o.StartDate, value.Text(o.StartTime)
		date.EndDate, date.EndTime = value.Text(o.EndDate), value.Text(o.EndTime)
		date.EntryTime = entryBefore(o, n.Date)
		date.RuleUUID, date.RecurrenceID = value.Text(rule.UUID), value.Text(o.ID())
		dates = append(dates, date)
	}
	return dates, []rules.DateRule{rule}, nil
}

// entryBefore returns the entry time of an occurrence, as long before its start as that of the
// first date; none when that would be on the day before.
func entryBefore(o recurrence.Occurrence, first rules.Date) value.Text {
	if first.EntryTime == "" || o.StartTime == string(first.StartTime) {
		return first.EntryTime
	}
	const clock = "15:04"
	times := make([]time.Time, 3)
	for i, text := range []string{o.StartTime, string(first.StartTime), string(first.EntryTime)} {
		times[i], _ = time.Parse(clock, text) // they were checked
	}
	entry := times[0].Add(times[2].Sub(times[1])).Format(clock)
	if entry > o.StartTime {
		return ""
	}
	return value.Text(entry)
}

// editDates applies an edit of the chosen date to dates of its rule, the chosen one among them. The
// fields that the edit changes in the chosen date are changed in the others too, so that a client
// can send back a whole date. They move by as many days, and if the edit changes how many days the
// chosen date lasts, they last as many.
func editDates(dates []rules.Date, chosen rules.Date, edit func(*rules.Date) error) error {
	edited := chosen
	if err := edit(&edited); err != nil {
		return err
	}
	edited.Normalize()
	rules.KeepNewerAvailability(chosen.DateAvailability, &edited.DateAvailability)
	if bad := identityChanges(chosen, edited); len(bad) > 0 {
		return invalid("date", bad)
	}
	for i := range dates {
		if dates[i].UUID == chosen.UUID {
			dates[i] = edited
			continue
		}
		moveDays(&dates[i], chosen, edited)
		changeRest(&dates[i], chosen, edited)
	}
	return nil
}

// moveDays applies the change of another date's days to a date.
func moveDays(d *rules.Date, was, is rules.Date) {
	moved, _ := daysFrom(was.StartDate, is.StartDate)
	d.StartDate, d.EndDate = addDays(d.StartDate, moved), value.Text(addDays(string(d.EndDate), moved))
	lasted, ended := daysFrom(was.StartDate, string(was.EndDate))
	lasts, ends := daysFrom(is.StartDate, string(is.EndDate))
	switch {
	case ended && !ends:
		d.EndDate = ""
	case ends && (!ended || lasts != lasted):
		d.EndDate = value.Text(addDays(d.StartDate, lasts))
	}
}

// changeRest applies the change of another date's other fields to a date.
func changeRest(d *rules.Date, was, is rules.Date) {
	carry(&d.AllDay, was.AllDay, is.AllDay)
	carry(&d.StartTime, was.StartTime, is.StartTime)
	carry(&d.EndTime, was.EndTime, is.EndTime)
	carry(&d.EntryTime, was.EntryTime, is.EntryTime)
	carry(&d.VenueUUID, was.VenueUUID, is.VenueUUID)
	carry(&d.SpaceUUID, was.SpaceUUID, is.SpaceUUID)
	if was.VenueUUID != is.VenueUUID { // a space is one of its venue
		d.SpaceUUID = is.SpaceUUID
	}
	carry(&d.ReleaseStatus, was.ReleaseStatus, is.ReleaseStatus)
	carry(&d.StatusNote, was.StatusNote, is.StatusNote)
	carry(&d.TicketLink, was.TicketLink, is.TicketLink)
	carry(&d.AccessibilityInfo, was.AccessibilityInfo, is.AccessibilityInfo)
	carry(&d.SeriesPartUUID, was.SeriesPartUUID, is.SeriesPartUUID)
	if !reflect.DeepEqual(was.Hours, is.Hours) {
		d.Hours = is.Hours
	}
	carry(&d.Availability, was.Availability, is.Availability)
	carry(&d.RemainingPlaces, was.RemainingPlaces, is.RemainingPlaces)
	carry(&d.OnSaleFrom, was.OnSaleFrom, is.OnSaleFrom)
	carry(&d.OnSaleUntil, was.OnSaleUntil, is.OnSaleUntil)
	carry(&d.PreviousStart, was.PreviousStart, is.PreviousStart)
	carry(&d.StatusChangedAt, was.StatusChangedAt, is.StatusChangedAt)
	if !reflect.DeepEqual(was.Tariffs, is.Tariffs) {
		d.Tariffs = slices.Clone(is.Tariffs)
	}
	if is.AllDay && !was.AllDay {
		d.StartTime, d.EndTime, d.EntryTime = "", "", ""
	}
	if !is.AllDay && was.AllDay { // as opening hours need
		d.Hours = is.Hours
	}
}

// carry sets a value to the new value of another one, if that has changed.
func carry[T comparable](value *T, was, is T) {
	if was != is {
		*value = is
	}
}

// identityChanges returns which of the fields that identify a date an edit has changed.
func identityChanges(stored, edited rules.Date) (bad fault.Violations) {
	if edited.UUID != stored.UUID {
		bad.Add("uuid", reason.CannotChange)
	}
	if edited.RuleUUID != stored.RuleUUID {
		bad.Add("rule_uuid", reason.CannotChange)
	}
	if edited.RecurrenceID != stored.RecurrenceID {
		bad.Add("recurrence_id", reason.CannotChange)
	}
	return bad
}

// daysFrom returns how many days to is after from, and whether both are days.
func daysFrom(from, to string) (int, bool) {
	a, err := time.Parse(time.DateOnly, from)
	if err != nil {
		return 0, false
	}
	b, err := time.Parse(time.DateOnly, to)
	return int(b.Sub(a).Hours() / 24), err == nil
}

// addDays returns the day a number of days after another; text that is not a day is returned
// unchanged.
func addDays(day string, days int) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.AddDate(0, 0, days).Format(time.DateOnly)
}

// splitRule gives the dates of the chosen date's rule from that date on a rule of their own.
func splitRule(event *rules.Event, chosen rules.Date) error {
	place := ruleOf(event, chosen)
	before, after, err := recurrence.Split(event.DateRules[place].Series(), string(chosen.RecurrenceID))
	if err != nil || before.StartDate == "" {
		return err
	}
	uuid, err := newUUID()
	if err != nil {
		return err
	}
	rest, err := rules.NewDateRule(uuid, after)
	if err != nil {
		return err
	}
	if event.DateRules[place], err = rules.NewDateRule(event.DateRules[place].UUID, before); err != nil {
		return err
	}
	event.DateRules = append(event.DateRules, rest)
	for i, d := range event.Dates {
		if d.RuleUUID == chosen.RuleUUID && d.RecurrenceID >= chosen.RecurrenceID {
			event.Dates[i].RuleUUID = value.Text(uuid)
		}
	}
	return nil
}

// leaveOut removes from the rule of a removed date all dates that the event no longer has.
func leaveOut(event *rules.Event, removed rules.Date, scope recurrence.Scope) error {
	place := ruleOf(event, removed)
	if place < 0 {
		return nil
	}
	rule, left := event.DateRules[place], originalsOf(event, removed.RuleUUID)
	if len(left) == 0 {
		event.DateRules = slices.Delete(event.DateRules, place, place+1)
		return nil
	}
	series, err := leaveOutOf(rule.Series(), removed, scope)
	if err == nil && len(series.ExDate) > recurrence.MaxDates {
		series, err = listed(rule.Series(), left, 0)
	}
	if err != nil {
		return err
	}
	event.DateRules[place], err = rules.NewDateRule(rule.UUID, series)
	return err
}

// leaveOutOf returns a series without a date, or with a scope without that and those after it.
func leaveOutOf(s recurrence.Series, removed rules.Date, scope recurrence.Scope) (recurrence.Series, error) {
	if scope == recurrence.This {
		s.ExDate = append(slices.Clip(s.ExDate), string(removed.RecurrenceID))
		return s, nil
	}
	before, _, err := recurrence.Split(s, string(removed.RecurrenceID))
	return before, err
}

// listed returns a series without a rule: the dates of another one that start at the originals,
// moved by some days.
func listed(s recurrence.Series, originals map[string]bool, days int) (recurrence.Series, error) {
	occurrences, err := recurrence.Expand(s)
	if err != nil {
		return s, err
	}
	list := recurrence.Series{AllDay: s.AllDay}
	for _, o := range occurrences {
		if !originals[o.ID()] {
			continue
		}
		o.StartDate, o.EndDate = addDays(o.StartDate, days), addDays(o.EndDate, days)
		if list.StartDate == "" {
			list.StartDate, list.StartTime, list.EndDate, list.EndTime = o.StartDate, o.StartTime, o.EndDate, o.EndTime
		} else {
			list.RDate = append(list.RDate, o.ID())
		}
	}
	return list, nil
}

// ruleOf returns the place of a date's rule in the event's list, or -1.
func ruleOf(event *rules.Event, d rules.Date) int {
	return slices.IndexFunc(event.DateRules, func(r rules.DateRule) bool { return r.UUID == string(d.RuleUUID) })
}

// originalsOf returns the starts that an event's dates have in a rule.
func originalsOf(event *rules.Event, rule value.Text) map[string]bool {
	starts := map[string]bool{}
	for _, d := range event.Dates {
		if d.RuleUUID == rule {
			starts[string(d.RecurrenceID)] = true
		}
	}
	return starts
}
