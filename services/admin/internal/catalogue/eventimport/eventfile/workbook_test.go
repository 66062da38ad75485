package eventfile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
)

// archived returns a ZIP archive of parts, as spreadsheets are.
func archived(t *testing.T, parts map[string]string) []byte {
	t.Helper()
	var data bytes.Buffer
	archive := zip.NewWriter(&data)
	for name, content := range parts {
		part, err := archive.Create(name)
		if err == nil {
			_, err = part.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

// damaged returns a spreadsheet whose sheet is not that of its checksum.
func damaged(t *testing.T, data []byte) []byte {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.File {
		if file.Name == "xl/worksheets/sheet1.xml" {
			checksum := binary.LittleEndian.AppendUint32(nil, file.CRC32)
			data = bytes.ReplaceAll(data, checksum, []byte("lost"))
		}
	}
	return data
}

// sheeted returns a spreadsheet as Excel writes it, with more strings. Its first sheet is hidden.
func sheeted(t *testing.T, rows string, more ...string) []byte {
	t.Helper()
	const main = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	return archived(t, map[string]string{
		"xl/workbook.xml": `<workbook ` + main + ` xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>` +
			`<sheet name="Alt" sheetId="2" state="hidden" r:id="rId2"/><sheet name="Programm" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId2" Target="worksheets/sheet2.xml"/>` +
			`<Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/sharedStrings.xml": `<sst ` + main + `><si><t>Datum</t></si><si><t>Titel</t></si>` +
			`<si><r><t>Jazz </t></r><r><rPr><b/></rPr><t>für Mädchen</t></r></si>` + strings.Join(more, "") + `</sst>`,
		"xl/worksheets/sheet1.xml": `<worksheet ` + main + `><sheetData>` + rows + `</sheetData></worksheet>`,
	})
}

// TestSpreadsheets: rows keep their numbers; days, times and prices are numbers.
func TestSpreadsheets(t *testing.T) {
	file, err := Read(t.Context(), sheeted(t, `<row r="1"><c r="A1" t="inlineStr"><is><t>Programm, Herbst, 2026</t></is></c><c r="B1" s="3"/></row>
<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="inlineStr"><is><t>Uhrzeit</t></is></c><c r="C3" t="s"><v>1</v></c>
<c r="D3" t="str"><f>A1</f><v>Eintritt</v></c></row>
<row r="5"><c r="A5" s="1"><v>46380</v></c><c r="B5"><v>0.85416666666787933</v></c><c r="C5" t="s"><v>2</v></c><c r="D5"><v>8.1999999999999993</v></c></row>
<row r="6"><c r="A6"><v>46381.791666666664</v></c><c r="C6" t="inlineStr"><is><t>Tanz; "Lindy"</t></is></c><c r="D6" t="e"><v>#REF!</v></c></row>`),
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range file.Events {
		got = append(got, fmt.Sprint(e.Rows, e.Dates[0].Start, " ", e.Values[FieldTitle], " ", e.Values[FieldPrice], " ", len(e.Reasons)))
	}
	if want := `[5] 2026-12-24T20:30 Jazz für Mädchen 8.2 0, [6] 2026-12-25T19:00 Tanz; "Lindy"  0`; strings.Join(got, ", ") != want || file.Encoding != "xlsx" {
		t.Errorf("got %s, want %s (%s)", strings.Join(got, ", "), want, file.Encoding)
	}
}

// TestHostileSpreadsheets: neither archives that unpack to more, nor places far away, nor the forms
// of XML that take memory or time are read, and nothing of a sheet of which a part is missing.
func TestHostileSpreadsheets(t *testing.T) {
	cell := func(place string) string { return `<c r="` + place + `"><v>1</v></c>` }
	text := func(place, text string) string {
		return `<c r="` + place + `" t="inlineStr"><is><t>` + text + `</t></is></c>`
	}
	table := text("A1", "Datum") + text("B1", "Titel") + text("A2", "24.12.2026") + text("B2", "Jazz")
	inside := func(depth int) string { return strings.Repeat("<x>", depth) + strings.Repeat("</x>", depth) }
	var often strings.Builder
	for row := range MaxRows {
		often.WriteString(`<c r="C` + strconv.Itoa(row+1) + `" t="s"><v>3</v></c>`)
	}
	for name, test := range map[string]struct {
		data []byte
		want fault.Kind
	}{
		"no archive":        {[]byte("PK\x03\x04 and then?"), fault.Invalid},
		"another archive":   {archived(t, map[string]string{"word/document.xml": "<w/>"}), fault.Invalid},
		"no cells":          {sheeted(t, ""), fault.Invalid},
		"not closed":        {sheeted(t, "<row><c"), fault.Invalid},
		"too many bytes":    {sheeted(t, strings.Repeat(" ", maxPart)), fault.TooLarge},
		"too many strings":  {archived(t, map[string]string{"xl/sharedStrings.xml": strings.Repeat("<si/>", maxStrings+1)}), fault.TooLarge},
		"a row far below":   {sheeted(t, cell("A1048576")), fault.TooLarge},
		"a column far away": {sheeted(t, cell("XFD1")), fault.TooLarge},
		"no such column":    {sheeted(t, cell("AAAAAAAA1")), fault.Invalid},
		"no such row":       {sheeted(t, cell("A0")+cell("A-1")), fault.Invalid},
		"no place":          {sheeted(t, cell("")), fault.Invalid},
		"another string":    {sheeted(t, `<c r="A1" t="s"><v>-1</v></c><c r="B1" t="s"><v>9</v></c>`), fault.Invalid},
		"no columns":        {sheeted(t, cell("A1")+cell("A2")), ""},
		"a cut-off sheet":   {sheeted(t, table+"<row><c"), fault.Invalid},
		"a damaged sheet":   {damaged(t, sheeted(t, table)), fault.Invalid},
		"deep elements":     {sheeted(t, table+inside(maxDepth)), fault.Invalid},
		"deep in a cell":    {sheeted(t, table+"<c>"+inside(maxDepth)+"</c>"), fault.Invalid},
		"many attributes":   {sheeted(t, table+"<x"+strings.Repeat(` y=""`, maxToken/5)+"/>"), fault.Invalid},
		"one string often":  {sheeted(t, table+often.String(), "<si><t>"+strings.Repeat("x", maxPart/MaxRows+1)+"</t></si>"), fault.TooLarge},
	} {
		file, err := Read(t.Context(), test.data, Options{})
		if test.want == "" {
			if err != nil || len(file.Events) != 1 || len(file.Events[0].Reasons) == 0 {
				t.Errorf("%s: %v, %+v", name, err, file.Events)
			}
		} else if !fault.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
