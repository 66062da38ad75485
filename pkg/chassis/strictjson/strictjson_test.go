package strictjson

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/value"
)

type base struct {
	Name string `json:"name"`
}

type part struct {
	ID    int        `json:"id"`
	Label value.Text `json:"label"`
}

type document struct {
	base
	Note   value.Text      `json:"note"`
	Count  *int            `json:"count"`
	Price  *float64        `json:"price"`
	Flags  *value.Mask     `json:"flags"`
	Open   bool            `json:"open"`
	At     *time.Time      `json:"at"`
	Tags   []string        `json:"tags"`
	Parts  []part          `json:"parts"`
	Shape  json.RawMessage `json:"shape"`
	Hidden string          `json:"-"`
}

func pointer[T any](v T) *T { return &v }

func TestDecodeReadsEveryKind(t *testing.T) {
	var got document
	bad := Decode([]byte(` { "kind": "x", "name": "A\u00e9\ud83c\udfb7\\", "note": null, "count": 3, "price": 1.5, "flags": "9007199254740993",
		"open": true, "at": "2026-11-20T19:30:00+01:00", "tags": ["a", "b\"]"], "parts": [ {"id": 1, "label": "]}"}, {} ],
		"shape": {"type": "Polygon", "coordinates": [[[1,2]]]} } `), &got, "kind")
	if len(bad) != 0 {
		t.Fatal(bad)
	}
	want := document{
		base: base{Name: "Aé🎷\\"}, Count: pointer(3), Price: pointer(1.5), Flags: pointer(value.Mask(1<<53 + 1)), Open: true,
		At: got.At, Tags: []string{"a", `b"]`}, Parts: []part{{ID: 1, Label: "]}"}, {}},
		Shape: json.RawMessage(`{"type": "Polygon", "coordinates": [[[1,2]]]}`),
	}
	if !reflect.DeepEqual(got, want) || got.At.UTC().Hour() != 18 {
		t.Errorf("got %+v", got)
	}
}

func TestDecodeNamesEveryBadField(t *testing.T) {
	deep := strings.Repeat("[", 101) + strings.Repeat("]", 101)
	for in, want := range map[string]string{
		``:                                   ` is not one JSON object: unexpected end of JSON input, at byte 0`,
		`{"name":"a"} x`:                     ` is not one JSON object: invalid character 'x' after top-level value, at byte 14`,
		`{"name":"a"}{}`:                     ` is not one JSON object: invalid character '{' after top-level value, at byte 13`,
		`[1]`:                                ` must be an object`,
		"{\"name\":\"\xff\"}":                ` is not valid UTF-8`,
		`{"Name":"a","kind":"x"}`:            `Name is not a known field`,
		`{"name":"a","name":"b"}`:            `name is given twice`,
		`{"kind":"a","kind":"b"}`:            `kind is given twice`,
		`{"na\u006de":"a","name":"b"}`:       `name is given twice`,
		`{"Hidden":"a","-":1,"base":{}}`:     `Hidden is not a known field; - is not a known field; base is not a known field`,
		`{"name":1,"note":{},"count":"3"}`:   `name must be text; note must be text; count must be an integer`,
		`{"count":1.5,"price":"1","open":1}`: `count must be an integer; price must be a number; open must be true or false`,
		`{"count":99999999999999999999}`:     `count must be an integer`,
		`{"price":1e999}`:                    `price must be a number`,
		`{"flags":"-1"}`:                     `flags must be an integer from 0 to 18446744073709551615, as text`,
		`{"at":"yesterday"}`:                 `at must be a time with its zone, such as 2026-11-20T19:30:00+01:00`,
		`{"tags":"a"}`:                       `tags must be a list`,
		`{"tags":["a",1,null]}`:              `tags[1] must be text; tags[2] must not be null`,
		`{"parts":[{"id":1},{"id":"2","x":0,"kind":1}]}`: `parts[1].id must be an integer; parts[1].x is not a known field; parts[1].kind is not a known field`,
		`{"parts":[[]]}`:                         `parts[0] must be an object`,
		`{"name":"a\u0000"}`:                     `name holds the control character U+0000`,
		`{"name":"\ud83c"}`:                      `name holds half of a surrogate pair`,
		`{"name":"\ud83c\u0041"}`:                `name holds half of a surrogate pair`,
		`{"name":"\udfb7"}`:                      `name holds half of a surrogate pair`,
		`{"shape":{"a":"\u0000"}}`:               `shape holds the control character U+0000`,
		`{"shape":` + deep + `}`:                 `shape is nested more than 100 deep`,
		`{"` + strings.Repeat("k", 200) + `":1}`: strings.Repeat("k", 100) + `… is not a known field`,
	} {
		var reasons []string
		for _, v := range Decode([]byte(in), &document{}, "kind") {
			reasons = append(reasons, v.Field+" "+v.Reason)
		}
		if got := strings.Join(reasons, "; "); got != want {
			t.Errorf("%.80s\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestDecodeBoundsItsReport(t *testing.T) {
	in := `{"tags":[` + strings.Repeat("1,", 1000) + `1]}`
	if bad := Decode([]byte(in), &document{}); len(bad) != maxViolations {
		t.Errorf("%d violations", len(bad))
	}
}

func TestKey(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":{"kind":"inner"},"kind":"event"}`: "event",
		`{"k\u0069nd":"event"}`:                 "event",
		`{"kind":null}`:                         "",
		`{}`:                                    "",
		`{"kind":5}`:                            "kind must be text",
		`[]`:                                    " must be an object",
		`broken`:                                " is not one JSON object: invalid character 'b' looking for beginning of value, at byte 1",
	} {
		got, bad := Key([]byte(in), "kind")
		for _, v := range bad {
			got += v.Field + " " + v.Reason
		}
		if got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}

// For any bytes, the decoder neither panics nor accepts input that the standard decoder refuses.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"name":"a","parts":[{"id":1}],"shape":[[1,2],{"a":"b"}],"tags":["\ud83c\udfb7"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var got, plain document
		_, _ = Key(data, "kind")
		if bad := Decode(data, &got); len(bad) != 0 {
			return
		}
		if err := json.Unmarshal(data, &plain); err != nil {
			t.Fatalf("accepted %q: %v", data, err)
		}
		if got.Shape == nil && string(plain.Shape) == "null" {
			plain.Shape = nil
		}
		if !reflect.DeepEqual(got, plain) {
			t.Errorf("%q decoded to %+v, not %+v", data, got, plain)
		}
	})
}

// A list that is too long is refused as a whole: its elements would be large in memory, and so
// would the answer that names their missing fields.
func TestDecodeRefusesEndlessLists(t *testing.T) {
	for count, want := range map[int]int{maxElements: maxElements, maxElements + 1: 0, 200_000: 0} {
		var got document
		list := strings.TrimSuffix(strings.Repeat("{},", count), ",")
		bad := Decode([]byte(`{"parts": [`+list+`]}`), &got)
		if len(got.Parts) != want || len(bad) != min(1, count-want) || len(bad) == 1 && bad[0].Field != "parts" {
			t.Errorf("%d elements: %d are read, %v", count, len(got.Parts), bad)
		}
	}
}
