package eventfile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"litfass/pkg/chassis/fault/reason"
)

// readTable reads a CSV file, whose first row names the columns.
func readTable(text string, options Options) (File, error) {
	separator := guessSeparator(text)
	records, err := readRecords(text, separator)
	if err != nil {
		return File{}, err
	}
	file := File{Separator: string(separator), Columns: namedColumns(records[0]), Rows: len(records) - 1}
	values := func(column int) []string { return valuesOf(records[1:], column) }
	for i := range file.Columns {
		file.Columns[i].Samples = samples(values(i))
	}
	if err := applyMapping(file.Columns, options.Mapping); err != nil {
		return file, err
	}
	guessFields(file.Columns, values, options.Mapping)
	order := options.DateOrder
	if order == "" {
		order = orderOf(file.Columns, values)
	}
	var rows []row
	for i, record := range records[1:] {
		if r, filled := tableRow(file.Columns, record, i+2, order); filled {
			rows = append(rows, r)
		} else {
			file.Rows--
		}
	}
	file.Events = group(rows)
	return file, nil
}

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

// readRecords returns the rows, the names of the columns first. It returns the faults of Read.
func readRecords(text string, separator rune) ([][]string, error) {
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma, reader.FieldsPerRecord = separator, -1
	var records [][]string
	for {
		record, err := reader.Read()
		var bad *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			if len(records) < 2 {
				return nil, invalid("content", reason.NoEvents)
			}
			return records, nil
		case errors.As(err, &bad):
			return nil, invalid("content", reason.UnclosedQuote(bad.Line))
		case err != nil:
			return nil, fmt.Errorf("read csv: %w", err)
		case len(record) > maxColumns:
			return nil, invalid("content", reason.FileTooLarge(maxColumns, "columns"))
		case len(records) > MaxRows:
			return nil, tooLarge(MaxRows, "rows")
		}
		records = append(records, record)
	}
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

func valuesOf(records [][]string, column int) []string {
	values := make([]string, 0, len(records))
	for _, record := range records {
		if column < len(record) {
			values = append(values, strings.TrimSpace(record[column]))
		}
	}
	return values
}

// tableRow reads a row, and reports whether it has any value. order is that of day and month.
func tableRow(columns []Column, record []string, number int, order string) (r row, filled bool) {
	r = row{number: number, values: map[string]string{}}
	for i, column := range columns {
		text := ""
		if i < len(record) {
			text = strings.TrimSpace(record[i])
		}
		filled = filled || text != ""
		if column.Field != "" {
			r.values[column.Field] = text
		}
	}
	if !filled {
		return r, false
	}
	if len(record) > len(columns) {
		r.refuse("", reason.ColumnCount(len(record)))
	}
	r.readDate(order)
	return r, true
}

// readDate makes the date of a row out of its days and times.
func (r *row) readDate(order string) {
	d := Date{Row: r.number}
	text := func(field string) string { return r.values[field] }
	startClock, rangeEnd := cutRange(text(FieldStartTime))
	d.Start = r.moment(FieldStartDate, FieldStartTime, text(FieldStartDate), startClock, order)
	if d.Start.Day == "" && text(FieldStartDate) == "" {
		r.refuse(FieldStartDate, reason.Required)
	}
	endDay, endClock := text(FieldEndDate), text(FieldEndTime)
	if endClock == "" {
		endClock = rangeEnd
	}
	if endDay != "" || endClock != "" {
		d.End = r.moment(FieldEndDate, FieldEndTime, endDay, endClock, order)
		d.End.followStart(d.Start)
	}
	d.Key = d.Start.instant()
	r.dates = append(r.dates, d)
}

// moment reads a day and a time; either may be "".
func (r *row) moment(dayField, clockField, day, clock, order string) (m Moment) {
	if day != "" {
		read, why := readDay(day, order)
		if why != nil {
			r.refuse(dayField, why)
		}
		m = read
	}
	if clock != "" {
		read, ok := readClock(clock)
		if !ok {
			r.refuse(clockField, reason.NotWrittenTime(shorten(clock)))
		}
		m.Clock, m.Zone = read, nil
	}
	return m
}
