package importing

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// choice is the first step.
type choice struct {
	t       *text.Texts
	path    string
	form    form
	options options
	errors  view.Errors
	reason  string // in the words of the service; "" for none
	may     permission.Set
}

// labels are the names of the fields for the list of errors.
func (c choice) labels() map[string]string {
	labels := map[string]string{}
	for _, name := range []string{"file", "address", "source", "place", "language", "type", "until", "venues", "kinds"} {
		labels[name] = c.t.T("import." + name)
	}
	return labels
}

// preview is the second step.
type preview struct {
	r         *page.Request
	path      string
	form      form
	report    adminapi.ImportReport
	changed   bool // the person wanted to import, but something was changed after the preview
	forgotten bool // the mapping was for other columns
	may       permission.Set
	types     lookup.Choices // of events; none without a name that has no type
}

// outcome is the third step.
type outcome struct {
	r      *page.Request
	path   string
	form   form
	report adminapi.ImportReport
}

// again is the link that fills in the first step as it was.
func (o outcome) again() string {
	settings := o.form.settings
	settings.Source = o.report.Source
	if settings.Source == settings.Address {
		settings.Source = ""
	}
	return withValues(o.path, settings.values())
}

func withValues(path string, values url.Values) string {
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// icons are the icons of the actions.
var icons = map[string]string{
	adminapi.ImportRefuse: "flag", adminapi.ImportUpdate: "arrow", adminapi.ImportCreate: "plus",
	adminapi.ImportUnchanged: "check", adminapi.ImportDeleted: "minus", keptEntries: "shield",
	adminapi.ImportHeld: "question", adminapi.ImportLinked: "link",
}

// keptEntries is the filter of entries that were edited here, with any action.
const keptEntries = "kept"

// group are the entries of one action.
type group struct {
	Action  string
	Entries []adminapi.ImportEvent
}

// atOnce is how many entries of a group are open, and show what they would create: a page with
// more is long to load. The others can be opened below them.
const atOnce = 50

// asks returns 1 for an entry of which values were not taken, else 0.
func asks(e adminapi.ImportEvent) int { return min(len(e.Kept)+len(e.Notes), 1) }

// groups puts the entries that ask for attention first, in each group those whose values were not
// all taken.
func groups(report adminapi.ImportReport) []group {
	var all []group
	for _, action := range []string{
		adminapi.ImportRefuse, adminapi.ImportHeld, adminapi.ImportLinked, adminapi.ImportDeleted, adminapi.ImportUpdate, adminapi.ImportCreate, adminapi.ImportUnchanged,
	} {
		g := group{Action: action}
		for _, e := range report.Events {
			if e.Action == action {
				g.Entries = append(g.Entries, e)
			}
		}
		slices.SortStableFunc(g.Entries, func(a, b adminapi.ImportEvent) int { return asks(b) - asks(a) })
		if len(g.Entries) > 0 {
			all = append(all, g)
		}
	}
	return all
}

// count is how many entries a filter shows.
type count struct {
	Filter string
	Count  int
}

func counts(report adminapi.ImportReport) (all []count) {
	c := report.Counts
	for _, one := range []count{
		{adminapi.ImportCreate, c.Create}, {adminapi.ImportUpdate, c.Update}, {adminapi.ImportUnchanged, c.Unchanged},
		{keptEntries, c.Edited}, {adminapi.ImportHeld, c.Held}, {adminapi.ImportLinked, c.Linked}, {adminapi.ImportDeleted, c.Deleted}, {adminapi.ImportRefuse, c.Refuse},
	} {
		if one.Count > 0 {
			all = append(all, one)
		}
	}
	return all
}

// toDo is how many events an import would create, change, cancel or withdraw.
func toDo(report adminapi.ImportReport) int {
	return report.Counts.Create + report.Counts.Update + withMissing(report.Missing, adminapi.MissingCancel) +
		withMissing(report.Missing, adminapi.MissingDraft)
}

// withMissing is how many events that the file no longer has get an action.
func withMissing(all []adminapi.ImportMissing, action string) (count int) {
	for _, e := range all {
		if e.Action == action {
			count++
		}
	}
	return count
}

// maxShown is how many characters of a value are shown.
const maxShown = 160

// shortened returns the beginning of a text.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= maxShown {
		return text
	}
	return string([]rune(text)[:maxShown-1]) + "…"
}

// explained returns why a row is refused; a value of the file can make it long.
func explained(t *text.Texts, v fault.Violation) string {
	v.Reason = shortened(v.Reason)
	return text.Reason(t, v)
}

// titled returns the title of an entry, or words for an entry without one.
func titled(t *text.Texts, e adminapi.ImportEvent) string {
	if title := strings.TrimSpace(e.Title); title != "" {
		return shortened(title)
	}
	return t.T("import.untitled")
}

// start writes when an entry begins: its day, and its time unless it lasts all day. One without a
// refused day has only its time.
func start(t *text.Texts, at string) string {
	day, clock, timed := strings.Cut(at, "T")
	if day == "" {
		return t.Clock(clock)
	}
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return shortened(at)
	}
	if !timed {
		return t.Day(date)
	}
	return t.Day(date) + ", " + t.Clock(clock)
}

// rows writes the rows of an entry: their numbers, or how many when they are many.
func rows(t *text.Texts, e adminapi.ImportEvent) string {
	const listed = 5
	if len(e.Rows) <= 1 {
		return t.With("import.row", "Row", strconv.Itoa(e.Number))
	}
	if len(e.Rows) > listed {
		return t.With("import.rows_from", "Row", strconv.Itoa(e.Number), "Count", t.Integer(len(e.Rows)))
	}
	numbers := make([]string, len(e.Rows))
	for i, row := range e.Rows {
		numbers[i] = strconv.Itoa(row)
	}
	return t.With("import.rows", "Rows", strings.Join(numbers, ", "))
}

// fieldName names a field: one that a column may be, or one of the admin service's, such as
// "dates[0].start_date".
func fieldName(t *text.Texts, field string) string {
	field = field[strings.LastIndexByte(field, '.')+1:]
	field, _, _ = strings.Cut(field, "[")
	return known(t, "import.field.", strings.TrimSuffix(field, "_uuid"))
}

// expected describes the values of a field; "" for no description.
func expected(t *text.Texts, field string) string {
	field = strings.TrimSuffix(field[strings.LastIndexByte(field, '.')+1:], "_uuid")
	if id := "import.expects." + field; t.Has(id) {
		return t.T(id)
	}
	return ""
}

// known returns a message about a word of the service, the word itself when there is none.
func known(t *text.Texts, part, word string) string {
	if t.Has(part + word) {
		return t.T(part + word)
	}
	return word
}

// fields are the choices for a column. The service decides which there are.
func fields(t *text.Texts, report adminapi.ImportReport, chosen string) []view.Option {
	options := []view.Option{{Label: t.T("import.field.none"), Chosen: chosen == ""}}
	for _, name := range report.Fields {
		options = append(options, view.Option{Value: name, Label: fieldName(t, name), Chosen: name == chosen})
	}
	return options
}

// columnField is the choice of the field that a column is read as.
func (p preview) columnField(i int, c adminapi.ImportColumn) view.Field {
	t := p.r.Text
	number := strconv.Itoa(i)
	f := view.Field{ID: "column-" + number, Name: "field." + number, Label: t.With("import.is", "Column", shortened(c.Name))}
	if slices.Contains(p.form.doubled, c.Name) {
		f.Error = t.T("import.doubled")
	} else if c.Note != "" {
		f.Hint = t.T("import.doubtful")
	} else if c.GuessedBy == byEarlier {
		f.Hint = t.T("import.earlier")
	}
	return f
}

// doubtful is how many columns deserve a second look.
func (p preview) doubtful() (count int) {
	for _, c := range p.report.Columns {
		if c.Note != "" || slices.Contains(p.form.doubled, c.Name) {
			count++
		}
	}
	return count
}

// label returns the words for an action of a preview, or of an import.
func label(t *text.Texts, part, action string, dryRun bool) string {
	if done := "import." + part + "." + action + ".done"; !dryRun && t.Has(done) {
		return t.T(done)
	}
	return t.T("import." + part + "." + action)
}
