package eventfile

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
)

// The limits of a workbook, whose parts are compressed.
const (
	maxPart    = 16 << 20 // bytes of a part, and of the texts of all cells
	maxToken   = 1 << 20  // bytes of a tag, or a text: Excel has at most 32,767 characters in a cell
	maxDepth   = 100      // of elements in each other
	maxStrings = MaxRows * maxColumns

	stepsOfToken = 40
)

// isWorkbook reports whether a file is a spreadsheet of Office Open XML (xlsx), a ZIP archive.
func isWorkbook(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// readWorkbook returns the first sheet of a spreadsheet as CSV. Numbers, which days and times are,
// too, are as stored. The faults: Invalid; TooLarge for too many rows, columns or bytes.
func readWorkbook(data []byte, w *work) (string, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", invalid("content", reason.NotTextFile)
	}
	book := workbook{archive: archive, work: w}
	var rows [][]string
	if err = book.readStrings(); err == nil {
		rows, err = book.readSheet()
	}
	if fault.Is(err, fault.TooLarge) || fault.Is(err, fault.Unavailable) {
		return "", err
	}
	if err != nil || len(rows) == 0 {
		return "", invalid("content", reason.NotTextFile)
	}
	text := bytes.NewBufferString("sep=;\n")
	writer := csv.NewWriter(text)
	writer.Comma = ';'
	if err := writer.WriteAll(rows); err != nil {
		return "", invalid("content", reason.NotTextFile)
	}
	return text.String(), nil
}

type workbook struct {
	archive *zip.Reader
	work    *work
	strings []string // of the cells that refer to one
	size    int      // bytes of the texts of all cells: many may refer to one string
}

// boundedPart reads the tokens of a part. An xml.Decoder keeps the attributes of a tag and all open
// elements in memory, in many times their bytes: a boundedPart returns an error instead.
type boundedPart struct {
	*bufio.Reader
	work  *work
	raw   *xml.Decoder
	left  int // bytes of this token
	size  int // bytes that were read
	depth int
}

func (p *boundedPart) ReadByte() (byte, error) {
	p.left--
	p.size++
	switch {
	case p.left < 0:
		return 0, errors.New("a token is too long")
	case p.size > maxPart:
		return 0, tooLarge(maxPart>>20, reason.WordMiB)
	}
	return p.Reader.ReadByte()
}

func (p *boundedPart) Token() (xml.Token, error) {
	if !p.work.Spend(stepsOfToken) {
		return nil, p.work.fault()
	}
	p.left = maxToken
	token, err := p.raw.RawToken()
	switch token.(type) {
	case xml.StartElement:
		p.depth++
	case xml.EndElement:
		p.depth--
	}
	if p.depth > maxDepth {
		return nil, errors.New("too many elements in each other")
	}
	return token, err
}

// tokens returns the tokens of a part, which are unpacked as they are read.
func (b *workbook) tokens(part io.Reader) *xml.Decoder {
	bounded := &boundedPart{Reader: bufio.NewReader(part), work: b.work}
	bounded.raw = xml.NewDecoder(bounded)
	return xml.NewTokenDecoder(bounded)
}

// each calls use for each element of a name in a part. The faults are TooLarge and Unavailable.
func (b *workbook) each(part, name string, use func(*xml.Decoder, xml.StartElement) error) error {
	file, err := b.archive.Open(part)
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > maxPart {
		return tooLarge(maxPart>>20, reason.WordMiB)
	}
	b.work.begin(part)
	decoder := b.tokens(file)
	for err == nil {
		var token xml.Token
		if token, err = decoder.Token(); err != nil {
			break
		}
		if start, is := token.(xml.StartElement); is && start.Name.Local == name {
			err = use(decoder, start)
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// richText is a text, in parts where these look different.
type richText struct {
	Text string   `xml:"t"`
	Runs []string `xml:"r>t"`
}

func (t richText) String() string { return t.Text + strings.Join(t.Runs, "") }

func (b *workbook) readStrings() error {
	const part = "xl/sharedStrings.xml"
	if !slices.ContainsFunc(b.archive.File, func(f *zip.File) bool { return f.Name == part }) {
		return nil
	}
	return b.each(part, "si", func(decoder *xml.Decoder, start xml.StartElement) error {
		if len(b.strings) == maxStrings {
			return tooLarge(MaxRows, reason.WordRows)
		}
		var text richText
		err := decoder.DecodeElement(&text, &start)
		b.strings = append(b.strings, text.String())
		return err
	})
}

// sheet returns the name of the first sheet's part.
func (b *workbook) sheet() (name string, err error) {
	var first string
	err = b.each("xl/workbook.xml", "sheet", func(_ *xml.Decoder, start xml.StartElement) error {
		if first == "" && !strings.Contains(strings.ToLower(attribute(start, "state")), "hidden") {
			first = attribute(start, "id")
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	err = b.each("xl/_rels/workbook.xml.rels", "Relationship", func(_ *xml.Decoder, start xml.StartElement) error {
		if attribute(start, "Id") == first {
			name = attribute(start, "Target")
		}
		return nil
	})
	if absolute, is := strings.CutPrefix(name, "/"); is {
		return absolute, err
	}
	return path.Join("xl", name), err
}

func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// cell is a cell with its place, such as C5.
type cell struct {
	Place  string   `xml:"r,attr"`
	Type   string   `xml:"t,attr"`
	Value  string   `xml:"v"`
	Inline richText `xml:"is"`
}

// readSheet returns the rows of the first sheet, also empty ones between others, so that their
// numbers are those of the spreadsheet.
func (b *workbook) readSheet() (rows [][]string, err error) {
	name, err := b.sheet()
	if err != nil {
		return nil, err
	}
	return rows, b.each(name, "c", func(decoder *xml.Decoder, start xml.StartElement) error {
		var c cell
		if err := decoder.DecodeElement(&c, &start); err != nil {
			return err
		}
		text := b.text(c)
		if text == "" {
			return nil
		}
		column, row, ok := placeOfCell(c.Place)
		switch {
		case !ok:
			return errors.New("a cell without a place")
		case row > MaxRows+maxTitles:
			return tooLarge(MaxRows, reason.WordRows)
		case column > maxColumns:
			return tooLarge(maxColumns, reason.WordColumns)
		}
		if b.size += len(text); b.size > maxPart {
			return tooLarge(maxPart>>20, reason.WordMiB)
		}
		for len(rows) < row {
			rows = append(rows, []string{"", ""})
		}
		into := &rows[row-1]
		*into = append(*into, make([]string, max(0, column-len(*into)))...)
		(*into)[column-1] = text
		return nil
	})
}

// text returns the text of a cell, and a number with as many digits as spreadsheets show.
func (b *workbook) text(c cell) string {
	switch c.Type {
	case "s":
		if at, err := strconv.Atoi(c.Value); err == nil && at >= 0 && at < len(b.strings) {
			return b.strings[at]
		}
		return ""
	case "inlineStr":
		return c.Inline.String()
	case "", "n":
		if number, err := strconv.ParseFloat(c.Value, 64); err == nil {
			return strconv.FormatFloat(number, 'g', 15, 64)
		}
	case "e": // an error of a formula
		return ""
	}
	return c.Value
}

// placeOfCell returns the numbers of the column and row of a cell such as C5.
func placeOfCell(place string) (column, row int, ok bool) {
	letters := strings.TrimRight(place, "0123456789")
	row, err := strconv.Atoi(place[len(letters):])
	for _, c := range letters[:min(len(letters), 4)] {
		column = column*26 + int(c-'A') + 1
	}
	return column, row, err == nil && row > 0 && column > 0 && len(letters) < 4
}
