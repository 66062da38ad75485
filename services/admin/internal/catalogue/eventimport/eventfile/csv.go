package eventfile

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"

	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/platform/invisible"
)

// readTable reads a CSV file with a row that names the columns. Titles may stand above it.
func readTable(text string, options Options) (File, error) {
	separator := guessSeparator(text)
	if hint := separatorHint.FindStringSubmatch(text); hint != nil {
		separator, text = rune(hint[1][0]), text[len(hint[0]):]
	}
	records, err := readRecords(text, separator, options.work)
	if err != nil {
		return File{}, err
	}
	above := headerRow(records)
	records = records[above:]
	file := File{Separator: string(separator), Columns: namedColumns(records[0].values), Rows: len(records) - 1}
	values := func(column int) []string { return valuesOf(records[1:], column) }
	for i := range file.Columns {
		file.Columns[i].Samples = samples(values(i))
	}
	if options, err = options.withEarlier(file.Columns); err != nil {
		return file, err
	}
	if err := applyMapping(file.Columns, options.Mapping); err != nil {
		return file, err
	}
	guesser{file.Columns, values, options.work}.guess(options.Mapping)
	order := options.DateOrder
	if file.DateOrder = order; order == "" {
		order = orderOf(file.Columns, values)
	}
	var rows []row
	for i, record := range records[1:] {
		if r, filled := tableRow(file.Columns, record, above+i+2, order); filled {
			rows = append(rows, r)
		} else {
			file.Rows--
		}
	}
	file.Events = group(rows)
	return file, nil
}

// separatorHint is a first line by which spreadsheets know the separator.
var separatorHint = regexp.MustCompile(`^"?(?i:sep)=([;,\t|])"?[;,\t|]*\r?\n`)

// separators are the possible separators of a file. The first one wins a tie.
var separators = []rune{';', ',', '\t'}

// guessSeparator returns the separator that the row of names has most often.
func guessSeparator(text string) rune {
	counts, quoted := map[rune]int{}, false
	for _, r := range strings.TrimLeft(text, "\r\n") {
		if r == '\n' && !quoted {
			break
		}
		if r == '"' {
			quoted = !quoted
		}
		if !quoted {
			counts[r]++
		}
	}
	best := separators[0]
	for _, separator := range separators {
		if counts[separator] > counts[best] {
			best = separator
		}
	}
	return best
}

// record is one row of a file.
type record struct {
	values []string
	reason *reason.Reason // why it cannot be read; values are then a guess
}

// readRecords returns the rows, the names of the columns first. It returns the faults of Read.
func readRecords(text string, separator rune, w *work) ([]record, error) {
	var records []record
	line := 1
	for {
		start := strings.TrimLeft(text, "\r\n")
		line += strings.Count(text[:len(text)-len(start)], "\n")
		if start == "" {
			break
		}
		if !w.begin(fmt.Sprintf("line %d", line)) {
			return nil, w.fault()
		}
		next, length := readRecord(start, separator, line)
		switch {
		case next.reason != nil && len(records) == 0:
			return nil, invalid("content", next.reason)
		case len(next.values) > maxColumns:
			return nil, invalid("content", reason.FileTooLarge(maxColumns, reason.WordColumns))
		case len(records) > MaxRows:
			return nil, tooLarge(MaxRows, reason.WordRows)
		}
		records = append(records, next)
		line += strings.Count(start[:length], "\n")
		text = start[length:]
	}
	if len(records) < 2 {
		return nil, invalid("content", reason.NoEvents)
	}
	return records, nil
}

// maxRecord is the maximum length of a row of several lines, in bytes: as far the end of a quoted
// value is searched.
const maxRecord = 64 << 10

// readRecord reads the row at the beginning of a text, and returns its length. A row with a
// quotation mark that is not closed, or stands inside of a value, ends with its first line.
func readRecord(text string, separator rune, line int) (record, int) {
	if len(text) > maxRecord {
		if end := strings.IndexByte(text[maxRecord:], '\n'); end >= 0 {
			text = text[:maxRecord+end+1]
		}
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma, reader.FieldsPerRecord = separator, -1
	values, err := reader.Read()
	if err == nil {
		return record{values: values}, int(reader.InputOffset())
	}
	text, _, _ = strings.Cut(text, "\n")
	reader = csv.NewReader(strings.NewReader(text))
	reader.Comma, reader.FieldsPerRecord, reader.LazyQuotes = separator, -1, true
	values, err = reader.Read()
	if err != nil {
		values = []string{text}
	}
	return record{values, reason.UnclosedQuote(line)}, len(text)
}

// maxTitles is the maximum number of rows above the row of names.
const maxTitles = 10

// headerRow returns the place of the row that names the columns: the first one that has a title and
// a day, if there is one near the beginning, else the first row.
func headerRow(records []record) int {
	for i, r := range records[:min(len(records)-1, maxTitles+1)] {
		fields := map[string]bool{}
		for _, name := range r.values {
			fields[fieldOfName(name)] = true
		}
		if fields[FieldTitle] && (fields[FieldStartDate] || fields[startOfEither]) {
			return i
		}
	}
	return 0
}

// namedColumns gives each column a name of its own.
func namedColumns(header []string) []Column {
	columns, seen := make([]Column, len(header)), map[string]int{}
	for i, name := range header {
		if name = shorten(name); name == "" {
			name = fmt.Sprintf("column %d", i+1)
		}
		seen[name]++
		if seen[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, seen[name])
		}
		columns[i].Name = name
	}
	return columns
}

func valuesOf(records []record, column int) []string {
	values := make([]string, 0, len(records))
	for _, r := range records {
		if column < len(r.values) && r.reason == nil {
			values = append(values, strings.TrimSpace(r.values[column]))
		}
	}
	return values
}

// marked is where a text has an apostrophe by which spreadsheets do not take it for a formula.
var marked = regexp.MustCompile(`(^|;[ ]*)'([=+\-@\t\r＝＋－＠])`)

// tableRow reads a row, and reports whether it has any value. order is that of day and month.
func tableRow(columns []Column, from record, number int, order string) (r row, filled bool) {
	r = row{number: number, values: map[string]string{}}
	for i, column := range columns {
		text := ""
		if i < len(from.values) {
			text = marked.ReplaceAllString(invisible.Trim(from.values[i]), "$1$2")
		}
		filled = filled || text != ""
		if column.Field == FieldPrice { // may be several: in advance and at the door
			text = joinPrices(r.values[FieldPrice], withCurrency(text, column.Name))
		}
		if column.Field != "" {
			r.values[column.Field] = text
		}
	}
	if !filled {
		return r, false
	}
	r.identify()
	if from.reason != nil {
		r.refuse("", from.reason)
		return r, true
	}
	if len(from.values) > len(columns) {
		r.refuse("", reason.ColumnCount(len(from.values)))
	}
	r.readDate(order)
	return r, true
}

// readDate makes the date of a row out of its days and times.
func (r *row) readDate(order string) {
	d := Date{Row: r.number}
	text := func(field string) string { return r.values[field] }
	startClock, rangeEnd := cutRange(text(FieldStartTime))
	var last Moment // of a range of days
	d.Start, last = r.moment(FieldStartDate, FieldStartTime, text(FieldStartDate), startClock, order)
	if d.Start.Day == "" && text(FieldStartDate) == "" {
		r.refuse(FieldStartDate, reason.Required)
	}
	endDay, endClock := text(FieldEndDate), text(FieldEndTime)
	if endClock == "" {
		endClock = rangeEnd
	}
	if endDay != "" || endClock != "" {
		d.End, _ = r.moment(FieldEndDate, FieldEndTime, endDay, endClock, order)
	}
	if d.End.Day == "" && last.Day != "" {
		d.End.Day = last.Day
		d.End.Clock = cmp.Or(d.End.Clock, last.Clock)
	}
	d.End.followStart(d.Start)
	d.Key = d.Start.instant()
	d.Moments = r.readMoments(order)
	r.dates = append(r.dates, d)
}

// readMoments reads the moments of their own that a date has.
func (r *row) readMoments(order string) map[string]Moment {
	read := map[string]Moment{}
	for _, field := range moments {
		text := r.values[field]
		if text == "" {
			continue
		}
		m, why := readDay(plainMoment(text), order)
		if why != nil {
			r.refuse(field, why)
		}
		read[field] = m
	}
	return read
}

// moment reads a day or a range of days, and a time; either may be "". last is the last day of a
// range.
func (r *row) moment(dayField, clockField, day, clock, order string) (m, last Moment) {
	if day != "" {
		var why *reason.Reason
		if m, last, why = readDays(day, order); why != nil {
			r.refuse(dayField, why)
		}
	}
	if clock != "" {
		read, ok := readFraction(clock, serialDay.MatchString(day))
		if !ok {
			read, ok = readClock(clock)
		}
		if !ok {
			r.refuse(clockField, reason.NotWrittenTime(shorten(clock)))
		}
		m.Clock, m.Zone = read, nil
	}
	return m, last
}
