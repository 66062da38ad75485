package feed

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// The parts of a workbook but for its sheet. The styles are those of the constants below.
const (
	mainNamespace = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	relations     = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packaged      = "http://schemas.openxmlformats.org/package/2006/"
	sheetML       = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// The styles of cells, by their places in the part of styles.
const (
	styleDay = iota + 1
	styleClock
	styleQuoted // text that stays text when it is edited
	styleName   // the name of a column
)

var workbookParts = []struct{ name, content string }{
	{"[Content_Types].xml", `<Types xmlns="` + packaged + `content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + sheetML + `sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="` + sheetML + `styles+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + sheetML + `worksheet+xml"/></Types>`},
	{"_rels/.rels", `<Relationships xmlns="` + packaged + `relationships">` +
		`<Relationship Id="rId1" Type="` + relations + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/workbook.xml", `<workbook ` + mainNamespace + ` xmlns:r="` + relations + `">` +
		`<sheets><sheet name="events" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packaged + `relationships">` +
		`<Relationship Id="rId1" Type="` + relations + `/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + relations + `/styles" Target="styles.xml"/></Relationships>`},
	{"xl/styles.xml", `<styleSheet ` + mainNamespace + `>` +
		`<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" formatCode="hh:mm"/></numFmts>` +
		`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/>` +
		`<xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/>` +
		`<xf quotePrefix="1"/><xf fontId="1" applyFont="1"/></cellXfs>` +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`},
}

// The sheet before and after its rows: the names of columns stay in view, and days have room.
const (
	sheetPart  = "xl/worksheets/sheet1.xml"
	sheetStart = `<worksheet ` + mainNamespace + `><sheetViews><sheetView workbookViewId="0">` +
		`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
		`<sheetFormatPr defaultColWidth="16" defaultRowHeight="15"/><sheetData>`
	sheetEnd = `</sheetData></worksheet>`
)

// The limits of a sheet. Excel refuses a file that exceeds them.
const (
	maxSheetRows = 1 << 20
	maxCellUnits = 32_767 // of UTF-16
)

// ErrFull means that a table has no more rows.
var ErrFull = fmt.Errorf("a sheet has at most %d rows", maxSheetRows)

// xlsxTable writes a workbook of Office Open XML with one sheet, row by row.
type xlsxTable struct {
	site    Site
	columns []column
	archive *zip.Writer
	sheet   *bufio.Writer
	row     bytes.Buffer
	rows    int
}

// NewXLSX begins a table as a spreadsheet. Days, times and numbers are numbers with a format, and
// texts are cells of text, which are never computed. Add returns ErrFull when the sheet is.
func NewXLSX(w io.Writer, site Site, detailed bool) (Table, error) {
	t := &xlsxTable{site: site, columns: columnsOf(detailed), archive: zip.NewWriter(w)}
	for _, part := range workbookParts {
		if err := t.part(part.name, part.content); err != nil {
			return nil, err
		}
	}
	if err := t.part(sheetPart, sheetStart); err != nil {
		return nil, err
	}
	return t, t.write(func(n int, c column) { t.text(n, c.name, styleName) })
}

// part begins a part of the archive with a content.
func (t *xlsxTable) part(name, content string) error {
	part, err := t.archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate}) // without a time
	if err != nil {
		return fmt.Errorf("begin %s: %w", name, err)
	}
	t.sheet = bufio.NewWriter(part)
	_, err = t.sheet.WriteString(xml.Header + content)
	if err == nil && name != sheetPart {
		err = t.sheet.Flush()
	}
	return err
}

// write writes a row, of which fill writes each cell.
func (t *xlsxTable) write(fill func(n int, c column)) error {
	if t.rows == maxSheetRows {
		return ErrFull
	}
	t.rows++
	t.row.Reset()
	fmt.Fprintf(&t.row, `<row r="%d">`, t.rows)
	for n, c := range t.columns {
		fill(n, c)
	}
	t.row.WriteString("</row>")
	_, err := t.row.WriteTo(t.sheet)
	return err
}

// Add implements Table.
func (t *xlsxTable) Add(i Item) error {
	return t.write(func(n int, c column) {
		switch value := c.value(t.site, i); {
		case value == "":
		case c.cell == dayCell:
			t.number(n, serialDay(value), value, styleDay)
		case c.cell == clockCell:
			t.number(n, serialTime(value), value, styleClock)
		case c.cell == numberCell:
			t.number(n, value, value, 0)
		case isFormula(value):
			t.text(n, value, styleQuoted)
		default:
			t.text(n, value, 0)
		}
	})
}

// Close implements Table.
func (t *xlsxTable) Close() error {
	if _, err := t.sheet.WriteString(sheetEnd); err != nil {
		return err
	}
	if err := t.sheet.Flush(); err != nil {
		return err
	}
	return t.archive.Close()
}

// number writes a cell with a number; with the text, where the number is "".
func (t *xlsxTable) number(column int, number, text string, style int) {
	if number == "" {
		t.text(column, text, 0)
		return
	}
	t.cell(column, style)
	t.row.WriteString(`><v>` + number + `</v></c>`)
}

// text writes a cell with a text, as much of it as fits.
func (t *xlsxTable) text(column int, text string, style int) {
	t.cell(column, style)
	t.row.WriteString(` t="inlineStr"><is><t>`)
	_ = xml.EscapeText(&t.row, []byte(fitting(text))) // a buffer never fails
	t.row.WriteString(`</t></is></c>`)
}

// cell begins the element of a cell.
func (t *xlsxTable) cell(column, style int) {
	fmt.Fprintf(&t.row, `<c r="%s%d"`, letters(column), t.rows)
	if style > 0 {
		fmt.Fprintf(&t.row, ` s="%d"`, style)
	}
}

// letters returns the name of the column with a number from 0.
func letters(column int) string {
	const alphabet = 26
	if column < alphabet {
		return string(rune('A' + column))
	}
	return letters(column/alphabet-1) + letters(column%alphabet)
}

// fitting returns the beginning of a text that a cell holds.
func fitting(text string) string {
	if len(text) <= maxCellUnits { // each unit has at least one byte
		return text
	}
	units := 0
	for at, r := range text {
		if units += utf16.RuneLen(r); units > maxCellUnits {
			return text[:at]
		}
	}
	return text
}

// serialDay returns a day as the number of days since 1899-12-30; "" for one that the import does
// not take for a day, before 1990 and after 2099.
func serialDay(day string) string {
	at, err := time.Parse(dayLayout, day)
	if err != nil || at.Year() < 1990 || at.Year() > 2099 {
		return ""
	}
	days := at.Sub(time.Date(1899, time.December, 30, 0, 0, 0, 0, time.UTC)) / (24 * time.Hour)
	return strconv.Itoa(int(days))
}

// serialTime returns a time of day as a fraction of the day; "" for anything else.
func serialTime(clock string) string {
	at, err := time.Parse(clockLayout, clock)
	if err != nil {
		return ""
	}
	fraction := strconv.FormatFloat(float64(at.Hour()*60+at.Minute())/(24*60), 'f', 15, 64)
	return strings.TrimRight(strings.TrimRight(fraction, "0"), ".")
}
