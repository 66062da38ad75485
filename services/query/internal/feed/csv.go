package feed

import (
	"encoding/csv"
	"io"
	"regexp"
)

// csvTable writes CSV (RFC 4180) in UTF-8, with a row of names.
type csvTable struct {
	site    Site
	columns []column
	to      *csv.Writer
}

// formulaStart is where spreadsheets would take a text for a formula: also after a semicolon, at
// which those of some languages part cells in any file.
var formulaStart = regexp.MustCompile(`(^|;[ ]*)([=+\-@\t\r＝＋－＠])`)

// NewCSV begins a table as CSV. An apostrophe, which the import removes, stands where spreadsheets
// would take a text for a formula.
func NewCSV(w io.Writer, site Site, detailed bool) (Table, error) {
	t := &csvTable{site: site, columns: columnsOf(detailed), to: csv.NewWriter(w)}
	t.to.UseCRLF = true
	row := make([]string, len(t.columns))
	for n, c := range t.columns {
		row[n] = c.name
	}
	return t, t.to.Write(row)
}

// Add implements Table.
func (t *csvTable) Add(i Item) error {
	row := make([]string, len(t.columns))
	for n, c := range t.columns {
		row[n] = c.value(t.site, i)
		if c.cell == textCell {
			row[n] = formulaStart.ReplaceAllString(row[n], "$1'$2")
		}
	}
	return t.to.Write(row)
}

// Close implements Table.
func (t *csvTable) Close() error {
	t.to.Flush()
	return t.to.Error()
}
