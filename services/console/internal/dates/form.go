package dates

import (
	"maps"
	"slices"
	"strconv"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/dates/rule"
	"litfass/services/console/internal/opening"
	"litfass/services/console/internal/price"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// addFormID is the id of the form that adds dates, under which a browser keeps the input.
const addFormID = "dates-add"

// changeFormOf is the id of the form of a date.
func changeFormOf(d adminapi.Date) string { return "dates-change-" + d.UUID }

// labels are the names of the fields for the list of errors.
func labels(t *text.Texts) map[string]string {
	names := opening.Labels(t)
	maps.Copy(names, map[string]string{
		fieldStartDate: t.T("dates.start_date"), fieldStartTime: t.T("dates.start_time"), fieldEndDate: t.T("dates.end_date"),
		fieldEndTime: t.T("dates.end_time"), fieldEntryTime: t.T("dates.entry_time"), fieldTicketLink: t.T("dates.ticket_link"),
		fieldAccessibility: t.T("dates.accessibility"), fieldPlace: t.T("dates.place"), fieldStatus: t.T("dates.status"),
		fieldStatusNote:   t.T("dates.status_note"),
		fieldAvailability: t.T("dates.places"), fieldPlacesLeft: t.T("dates.places.left"),
		fieldTariffs:    t.T("dates.tariffs"),
		fieldOnSaleFrom: t.T("dates.on_sale_from"), fieldOnSaleUntil: t.T("dates.on_sale_until"),
		fieldPreviousDay: t.T("dates.previous_day"), fieldPreviousTime: t.T("dates.previous_time"),
		fieldUnit: t.T("dates.repeat"), fieldEvery: t.T("dates.every"), fieldNth: t.T("dates.nth"), fieldUntil: t.T("dates.until"),
		fieldCount: t.T("dates.times"), fieldFurther: t.T("dates.further"), fieldShown: t.T("dates.preview"),
	})
	return names
}

func (f addForm) field(t *text.Texts, name, value string) view.Field {
	return fieldOf(t, name, value, f.errors)
}

// fieldOf returns a field with its label and error.
func fieldOf(t *text.Texts, name, value string, errors view.Errors) view.Field {
	return view.Field{Name: name, Label: labels(t)[name], Value: value, Error: errors[name]}
}

// typed is a field of another kind than text.
func typed(f view.Field, kind string) view.Field {
	f.Type = kind
	return f
}

// hinted is a field with a hint.
func hinted(f view.Field, hint string) view.Field {
	f.Hint = hint
	return f
}

// units are the repetitions to choose from.
func (r repetition) units(t *text.Texts) []view.Option {
	options := []view.Option{{Label: t.T("dates.repeat.once"), Chosen: r.unit == ""}}
	for _, unit := range rule.Units {
		options = append(options, view.Option{
			Value: string(unit), Label: t.T("dates.repeat." + string(unit)), Chosen: r.unit == string(unit),
		})
	}
	return options
}

// weekdayOptions are the weekdays from Monday.
func (r repetition) weekdayOptions(t *text.Texts) (options []view.Option) {
	for _, day := range weekdays {
		value := strconv.Itoa(int(day))
		options = append(options, view.Option{Value: value, Label: t.Weekday(day), Chosen: slices.Contains(r.weekdays, value)})
	}
	return options
}

// nthOptions are the places of a weekday in a month.
func (r repetition) nthOptions(t *text.Texts) (options []view.Option) {
	for _, nth := range []int{1, 2, 3, 4, 5, rule.Last} {
		value := strconv.Itoa(nth)
		options = append(options, view.Option{Value: value, Label: rule.Nth(t, nth), Chosen: r.nth == value})
	}
	return options
}

func (r repetition) nthDayOptions(t *text.Texts) []view.Option {
	options := r.weekdayOptions(t)
	for i := range options {
		options[i].Chosen = options[i].Value == r.nthDay
	}
	return options
}

func (r repetition) byOptions(t *text.Texts) []view.Option {
	return []view.Option{
		{Value: "day", Label: t.T("dates.by.day"), Chosen: !r.byWeekday},
		{Value: "weekday", Label: t.T("dates.by.weekday"), Chosen: r.byWeekday},
	}
}

func (r repetition) endOptions(t *text.Texts) []view.Option {
	return []view.Option{
		{Value: "until", Label: t.T("dates.end.until"), Chosen: r.untilDay},
		{Value: "count", Label: t.T("dates.end.count"), Chosen: !r.untilDay},
	}
}

// spareDays is how many empty fields for further days there are.
const spareDays = 3

// furtherDays are the fields of further days, some of them empty.
func (r repetition) furtherDays() []string {
	return append(slices.Clone(r.further), make([]string, spareDays)...)
}

// statusOptions are the statuses of a date, each with its meaning for visitors.
func (f changeForm) statusOptions(t *text.Texts) (options []view.Option) {
	for _, status := range statuses(f.date.ReleaseStatus) {
		hint := ""
		if id := "dates.status_hint." + status; t.Has(id) {
			hint = t.T(id)
		}
		options = append(options, view.Option{
			Value: status, Label: t.T("dates.status." + status), Hint: hint, Chosen: f.values.status == status,
		})
	}
	return options
}

// months groups the previewed dates by month.
func (p plannedDates) months() (months [][]plannedDay) {
	for _, d := range p.dates {
		last := len(months) - 1
		if last < 0 || months[last][0].StartDate[:7] != d.StartDate[:7] {
			months = append(months, nil)
			last++
		}
		months[last] = append(months[last], d)
	}
	return months
}

func required(f view.Field) view.Field {
	f.Required = true
	return f
}

func numeric(f view.Field) view.Field {
	f.Inputmode, f.Max = "numeric", 4
	return f
}

// restOpen reports whether fields that are folded away have something to say.
func restOpen(v values, errors view.Errors) bool {
	return v.tickets.open(errors) || v.place != "" || v.ticketLink != "" || v.accessibility != "" ||
		errors[fieldPlace]+errors[fieldTicketLink]+errors[fieldAccessibility] != ""
}

// The prices of a date have ids of their own: the page of an event has those of the event, too.
const (
	tariffsPrefix = "date_"
	fieldTariffs  = tariffsPrefix + price.FieldTariffs
)

// tariffList are the prices of a date, in place of those of the event.
func (v values) tariffList(t *text.Texts, errors view.Errors, edits bool) price.List {
	return price.List{
		Prefix: tariffsPrefix,
		Legend: t.T("dates.tariffs"), Hint: t.T("dates.tariffs_hint"), Titled: true,
		Tariffs: v.tariffs.all, Wrong: errors[fieldTariffs], Edits: edits,
	}
}

// previousOpen reports whether the form has the fields of the former start: for dates that visitors
// see, and have seen.
func (f changeForm) previousOpen() bool {
	v := f.values.tickets
	return f.public() || v.previousDay+v.previousTime+f.errors[fieldPreviousDay]+f.errors[fieldPreviousTime] != ""
}

func (f addForm) restOpen() bool { return restOpen(f.values, f.errors) }

func (f changeForm) restOpen() bool { return restOpen(f.values, f.errors) }

// first returns one of the things that are wrong, while the form is edited.
func (f addForm) first(t *text.Texts) string {
	for _, name := range []string{fieldStartDate, fieldStartTime} {
		if f.errors[name] != "" && f.planned.begin == "" {
			return t.T("dates.preview_empty")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.errors)) {
		return f.errors[name]
	}
	return t.T("dates.preview_empty")
}

// allOn counts the days that are wanted.
func allOn(days []plannedDay) (on int) {
	for _, d := range days {
		if d.on {
			on++
		}
	}
	return on
}

// title names the form in the section.
func (f changeForm) title(t *text.Texts) string {
	if f.move {
		return t.With("dates.move", "Date", fullText(t, f.date))
	}
	return t.With("dates.change", "Date", fullText(t, f.date))
}

func (f changeForm) buttonLabel(t *text.Texts) string {
	if len(f.conflicts) > 0 {
		return t.T("auto.keep_mine")
	}
	return t.T("dates.save")
}
