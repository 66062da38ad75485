package applied

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestASignalIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	words := json.RawMessage(`"ein langer Text"`)
	want := Signal{Session: "s", Batches: 7, Sequence: 70, Position: 700, Version: "v", Batch: &Batch{
		Records: map[string][]string{"events": {"e"}, "venues": {"v"}}, Names: map[string]map[string]string{"venues": {"v": "Halle"}},
		Changed: map[string][]Record{"venues": {
			{ID: "v", Before: Attributes{"name": json.RawMessage(`"Saal"`)}, After: Attributes{"name": json.RawMessage(`"Halle"`)}, View: `{"name":"Halle"}`},
			{ID: "w", Before: Attributes{"name": words}},
		}},
		Dates: []Date{
			{ID: "a", Before: Attributes{"text_words": words, "start_day": json.RawMessage(`20261120`)}, After: Attributes{"text_words": words}},
			{ID: "b", Shown: true, Revision: 7, Before: Attributes{"text_words": words}},
			{ID: "c", After: Attributes{"text_words": words}},
		},
	}}
	setEntries(want.Batch.Dates[:1], map[string]string{"a": `{"title":"<Fest>","tags":["a","b"]}`})
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if times := strings.Count(string(data), "langer"); times != 1 {
		t.Errorf("a value that four documents share is sent %d times: %s", times, data)
	}
	var got Signal
	if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

// TestEarlierReadersFindTheChanges: query services without entries read the rest as before.
func TestEarlierReadersFindTheChanges(t *testing.T) {
	t.Parallel()
	batch := Batch{Whole: true, Dates: []Date{{ID: "a", Shown: true, After: Attributes{"start_day": json.RawMessage(`20261120`)}}}}
	setEntries(batch.Dates, map[string]string{"a": `{"title":"x"}`})
	data, err := json.Marshal(batch)
	if err != nil {
		t.Fatal(err)
	}
	var earlier struct {
		All    bool
		Values []json.RawMessage
		Dates  []struct {
			ID    string
			Shown bool
			After map[string]int
		}
	}
	if err := json.Unmarshal(data, &earlier); err != nil || earlier.All || len(earlier.Dates) != 1 {
		t.Fatalf("%s: %+v, %v", data, earlier, err)
	}
	if d := earlier.Dates[0]; d.ID != "a" || !d.Shown || string(earlier.Values[d.After["start_day"]]) != "20261120" {
		t.Errorf("%s: %+v", data, earlier)
	}
}

func TestABatchThatCannotBeReadMayHaveAlteredAnything(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		`{"dates":[{"id":"a","before":{"x":1}}],"values":["one"]}`,
		`{"dates":[{"id":"a","after":{"x":-1}}],"values":["one"]}`,
		`{"dates":[{"id":"a","entry":[1]}],"parts":["one"]}`,
		`{"changed":{"venues":[{"id":"a","after":{"x":1}}]},"values":["one"]}`,
	} {
		var b Batch
		if err := json.Unmarshal([]byte(data), &b); err != nil || !b.All || len(b.Dates) > 0 {
			t.Errorf("%s: %+v, %v", data, b, err)
		}
	}
}

// TestEntriesOfAnEventShareTheirParts: the parts of each date make up its entry, and those that all
// dates of the event have are sent once.
func TestEntriesOfAnEventShareTheirParts(t *testing.T) {
	t.Parallel()
	entries := map[string]string{
		"a1": `{"uuid":"a","date":"a1","title":"Fest, \",\"x\",","tags":[],"start":1,"note":""}`,
		"a2": `{"uuid":"a","date":"a2","title":"Fest, \",\"x\",","tags":[],"start":2,"note":""}`,
		"a3": `{"uuid":"a","date":"a3","title":"Fest, \",\"x\",","tags":[],"start":3,"note":""}`,
		"b1": `{"uuid":"b","date":"b1","tags":["x"]}`,
		"b2": `{"uuid":"b","date":"b2","tags":["x","y"]}`,
		"c1": `no JSON`,
	}
	var batch Batch
	for _, id := range []string{"a1", "a2", "a0", "a3", "b1", "b2", "c1"} {
		batch.Dates = append(batch.Dates, Date{ID: id, After: Attributes{"uuid": json.RawMessage(`"` + id[:1] + `"`)}})
	}
	setEntries(batch.Dates, entries)
	data, err := json.Marshal(batch)
	if err != nil {
		t.Fatal(err)
	}
	if times := strings.Count(string(data), "Fest"); times != 1 {
		t.Errorf("a title of three dates is sent %d times: %s", times, data)
	}
	var got Batch
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for _, date := range got.Dates {
		if entry := strings.Join(date.Entry, ""); entry != entries[date.ID] {
			t.Errorf("%s: %s", date.ID, entry)
		}
	}
	for _, date := range batch.WithoutEntries().Dates {
		if date.Entry != nil || date.After == nil {
			t.Errorf("without entries: %+v", date)
		}
	}
}

// TestARecordThatIsGoneHasNoAttributes: only what lists read is sent of the others, and their view.
func TestARecordThatIsGoneHasNoAttributes(t *testing.T) {
	t.Parallel()
	public := Attributes{
		"gone": json.RawMessage(`false`), "name_sort": json.RawMessage(`"halle"`), "revision": json.RawMessage(`3`), "view": json.RawMessage(`"{\"name\":\"Halle\"}"`),
	}
	gone := Attributes{"gone": json.RawMessage(`true`), "revision": json.RawMessage(`4`), "view": json.RawMessage(`null`)}
	listed := Attributes{"gone": public["gone"], "name_sort": public["name_sort"]}
	for want, got := range map[*Record]Record{
		{ID: "v", After: listed, View: `{"name":"Halle"}`}:                 RecordChange("venues", "v", nil, public),
		{ID: "v", Before: listed, After: listed, View: `{"name":"Halle"}`}: RecordChange("venues", "v", public, public),
		{ID: "v", Before: listed}:                                          RecordChange("venues", "v", public, gone),
		{ID: "v", After: listed, View: `{"name":"Halle"}`}:                 RecordChange("venues", "v", gone, public),
	} {
		if !reflect.DeepEqual(got, *want) {
			t.Errorf("%+v, want %+v", got, *want)
		}
	}
	without := Batch{Changed: map[string][]Record{"venues": {{ID: "v", After: listed, View: "{}"}}}}
	if r := without.WithoutEntries().Changed["venues"][0]; r.View != "" || r.After == nil || without.Changed["venues"][0].View == "" {
		t.Errorf("%+v, of %+v", r, without)
	}
}
