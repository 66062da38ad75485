package eventfile

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"litfass/pkg/chassis/fault/reason"
)

// pageProperties are the columns of a page: properties of schema.org, those of the place and the
// offers with a path, with their fields unless the options map them.
var pageProperties = []struct{ name, field string }{
	{"@id", FieldExternalID},
	{"name", FieldTitle},
	{"alternateName", FieldSubtitle},
	{"description", FieldDescription},
	{"location.name", FieldVenue},
	{"location.streetAddress", FieldStreet},
	{"location.postalCode", FieldPostalCode},
	{"location.addressLocality", FieldCity},
	{"location.url", FieldOnlineLink},
	{"url", FieldSourceLink},
	{"@type", FieldKind},
	{"keywords", FieldTags},
	{"performer", FieldContributors},
	{"inLanguage", FieldLanguages},
	{"typicalAgeRange", FieldAge},
	{"offers.price", FieldPrice},
	{"offers.url", FieldTicketLink},
	{"offers.name", FieldTariffs},
	{"subEvent.offers.name", FieldDateTariffs},
	{"offers.availability", FieldAvailability},
	{"offers.inventoryLevel", FieldPlaces},
	{"offers.validFrom", FieldOnSaleFrom},
	{"offers.validThrough", FieldOnSaleUntil},
	{"previousStartDate", FieldPreviousStart},
	{"image", FieldImage},
	{"image.caption", FieldImageAlt},
	{"image.creator", FieldImageCreator},
	{"image.copyrightNotice", FieldImageCopyright},
	{"image.license", FieldImageLicense},
	{"image.digitalSourceType", FieldImageAI},
	{"eventStatus", FieldStatus},
}

// ofPage are the fields that a page gives only by startDate, endDate and doorTime.
var ofPage = []string{FieldStartDate, FieldStartTime, FieldEndDate, FieldEndTime, FieldEntryTime}

// readPage reads the events of the JSON-LD in a page, or of a JSON-LD file.
func readPage(text string, options Options) (File, error) {
	found, full := newLinkedEvents(linkedData(text, options.work), options.Until, options.work).all()
	if len(options.Pages) > 0 { // a list often has the names of the events that are on them
		found = slices.DeleteFunc(found, func(e linkedEvent) bool { return e.start == "" && e.problem == nil })
	}
	further, more := furtherEvents(options, MaxRows-len(found))
	found = append(found, further...)
	if full || more || len(found) > MaxRows {
		return File{}, tooLarge(MaxRows, reason.WordEvents)
	}
	if len(found) == 0 {
		return File{}, invalid("content", reason.NoEvents)
	}
	file := File{Rows: len(found)}
	var err error
	if file.Columns, err = pageColumns(found, options.Mapping); err != nil {
		return file, err
	}
	rows := make([]row, len(found))
	for i := range found {
		rows[i] = found[i].row(i+1, file.Columns)
	}
	file.Events = group(withoutRepeated(rows))
	return file, nil
}

// linkedData returns the JSON-LD of a text: each script of a page, or the text itself. A script
// that cannot be read is left out.
func linkedData(text string, w *work) (items []any) {
	eachScript(text, w, func(script string) {
		if !w.Spend(stepsOfObject) || !w.fits(script) {
			return
		}
		if item, ok := decodeLinked(script); ok {
			items = append(items, item)
		}
	})
	return items
}

// eachScript calls add with the texts that linkedData decodes.
func eachScript(text string, w *work, add func(script string)) {
	if start := strings.TrimSpace(text); !strings.HasPrefix(start, "<") {
		add(start)
		return
	}
	inside := false
	tokens := html.NewTokenizer(strings.NewReader(text))
	tokens.SetMaxBuf(maxTag)
	for kind := tokens.Next(); kind != html.ErrorToken && w.Spend(1); kind = tokens.Next() {
		tokens.SetMaxBuf(maxTag)
		switch kind {
		case html.StartTagToken:
			if name, more := tokens.TagName(); atom.Lookup(name) == atom.Script {
				tokens.SetMaxBuf(0) // for the text of the script
				inside = more && hasLinkedData(tokens)
			}
		case html.EndTagToken:
			inside = false
		case html.TextToken:
			if inside {
				add(string(tokens.Text()))
			}
		default:
		}
	}
	if errors.Is(tokens.Err(), html.ErrBufferExceeded) && w.begin("a tag of the page") {
		w.exceed()
	}
}

// OnlyLinked returns the JSON-LD of a page, as a page that has nothing else. What is no page, or
// cannot be read, stays as it is.
func OnlyLinked(ctx context.Context, data []byte) []byte {
	w := newWork(ctx, len(data))
	text, _, err := decode(data, w)
	if err != nil || !strings.HasPrefix(strings.TrimSpace(text), "<") {
		return data
	}
	var page bytes.Buffer
	page.WriteString("<html>")
	eachScript(text, w, func(script string) {
		page.WriteString(`<script type="application/ld+json">` + script + "</script>")
	})
	if w.Err() != nil {
		return data
	}
	return page.Bytes()
}

// maxTag is the maximum length of a tag, or of a text outside of scripts: a tag takes many times
// its bytes of memory.
const maxTag = 2 << 20

// hasLinkedData reports whether a script is JSON-LD by the attributes of its tag.
func hasLinkedData(tokens *html.Tokenizer) bool {
	for {
		name, value, more := tokens.TagAttr()
		kind, _, _ := strings.Cut(string(value), ";")
		if string(name) == "type" && strings.EqualFold(strings.TrimSpace(kind), "application/ld+json") {
			return true
		}
		if !more {
			return false
		}
	}
}

// pageColumns returns the properties that the events have. The fault is that of applyMapping.
func pageColumns(events []linkedEvent, mapping map[string]string) ([]Column, error) {
	var columns []Column
	fields := map[string]string{}
	for _, property := range pageProperties {
		var values []string
		for _, e := range events {
			if text := e.values[property.name]; text != "" {
				values = append(values, text)
			}
		}
		if values != nil {
			columns = append(columns, Column{Name: property.name, Samples: samples(values)})
			fields[property.name] = property.field
		}
	}
	for name, field := range mapping {
		if slices.Contains(ofPage, field) {
			return nil, invalid("mapping", reason.FieldOfCalendar(shorten(name), field))
		}
	}
	if err := applyMapping(columns, mapping); err != nil {
		return columns, err
	}
	for i := range columns {
		c := &columns[i]
		if _, given := mapping[c.Name]; !given && !isTaken(columns, fields[c.Name]) {
			c.Field, c.GuessedBy = fields[c.Name], ByHeader
		}
	}
	return columns, nil
}

// row returns the values of an event with its date.
func (e *linkedEvent) row(number int, columns []Column) row {
	r := row{number: number, values: map[string]string{}, own: map[string]string{}, placeHours: e.placeHours}
	for _, column := range columns {
		if column.Field != "" {
			r.values[column.Field] = e.values[column.Name]
		}
	}
	r.identify()
	if e.problem != nil {
		r.refuse(FieldStartDate, e.problem)
		r.dates = []Date{{Row: number}}
		return r
	}
	r.readSpan(e.start, e.end, e.doors)
	r.dates[0].Hours = e.hours
	return r
}

// readSpan makes the date of a row out of moments as pages write them. Programs write whole days as
// midnight to one minute before midnight.
func (r *row) readSpan(start, end, doors string) {
	d := Date{Row: r.number}
	if isMidnight(start) && isDayEnd(end) {
		start, end = start[:len("2027-03-05")], end[:len("2027-03-05")]
	}
	var why *reason.Reason
	switch d.Start, why = readDay(plainMoment(start), ""); {
	case start == "":
		r.refuse(FieldStartDate, reason.Required)
	case why != nil:
		r.refuse(FieldStartDate, why)
	}
	if end != "" {
		if d.End, why = readDay(plainMoment(end), ""); why != nil {
			r.refuse(FieldEndDate, why)
		}
	}
	if d.End == d.Start || d.Start.Clock == "" && d.End.Day == d.Start.Day {
		d.End = Moment{}
	}
	if d.Start.Clock == "" {
		d.End.Clock, d.End.Zone = "", nil
	}
	if doors != "" {
		r.values[FieldEntryTime] = clockOf(doors)
	}
	d.Key = d.Start.instant()
	d.Moments = r.readMoments("")
	r.dates = append(r.dates, d)
}

// withoutRepeated leaves out rows that repeat another one: pages often have an event in a list and
// in full. The fuller one stays.
func withoutRepeated(rows []row) []row {
	type identity struct {
		id string
		at Moment
	}
	places := map[identity]int{}
	var kept []row
	for _, r := range rows {
		key := identity{r.id, r.dates[0].Key}
		place, known := places[key]
		switch {
		case !known:
			places[key] = len(kept)
			kept = append(kept, r)
		case filled(r) > filled(kept[place]):
			kept[place] = r
		}
	}
	return kept
}

func filled(r row) (count int) {
	for _, text := range r.values {
		if text != "" {
			count++
		}
	}
	return count
}
