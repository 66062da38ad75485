package document

import (
	"encoding/json"
	"strings"
	"testing"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// TestEntriesAreEncodedToTheByte: clients get this text as it is.
func TestEntriesAreEncodedToTheByte(t *testing.T) {
	lat, flags := 54.7937, value.Mask(1<<63)
	date := Date{TitleKey: []string{}, TagKeys: []string{}, TypeIDs: []int{}, GenreIDs: []int{}, AccessibilityBits: []int{}, VisitorBits: []int{}}
	date.Show(publicapi.Entry{
		UUID: "u", DateUUID: "d", Title: "\"Jazz\" \\ <b>&\u2028\x00🎷", StartDate: "2026-11-20", VenueLat: &lat, OnlineLink: "https://x.example/?a=1&b=2",
		Categories: []int{1}, EventTypes: []publicapi.EventType{{TypeID: 1}}, Languages: []string{}, Tags: []string{"ä"}, Labels: []string{"tip"}, TextLanguages: []string{"da"}, Texts: map[string]publicapi.EntryText{"da": {Title: "<Jazz>"}}, VisitorInfoFlags: &flags,
	})
	data, err := json.Marshal(date)
	if err != nil {
		t.Fatal(err)
	}
	var held struct{ Entry string }
	if err := json.Unmarshal(data, &held); err != nil {
		t.Fatal(err)
	}
	const want = `{"uuid":"u","date_uuid":"d","date_slug":"","title":"\"Jazz\" \\ <b>&\u2028\u0000🎷","subtitle":"","summary":"",` +
		`"start_date":"2026-11-20","start_time":"","all_day":false,"space_uuid":null,"space_name":"","space_accessibility_flags":null,` +
		`"venue_uuid":null,"venue_name":"","venue_city":"","venue_street":"","venue_house_number":"","venue_postal_code":"","venue_state":"",` +
		`"venue_country":"","venue_lat":54.7937,"venue_lon":null,"image_uuid":null,"image_path":null,"org_uuid":"","org_name":"",` +
		`"categories":[1],"event_types":[{"type_id":1,"genre_id":0}],"languages":[],"tags":["ä"],"min_age":null,"max_age":null,` +
		`"price_type":"","visitor_info_flags":"9223372036854775808","release_status":"","end_date":null,"end_time":null,` +
		`"venue_accessibility_flags":null,"min_price":null,"max_price":null,"currency":"","venue_timezone":"",` +
		`"online_link":"https://x.example/?a=1&b=2","page_url":"","image_alt_text":"","image_license":null,"image_creator":"","status_note":"","labels":["tip"],"hours":null,` +
		`"availability":"","remaining_places":null,"on_sale_from":null,"on_sale_until":null,"previous_start":null,"status_changed_at":null,"text_language":"","text_languages":["da"],` +
		`"texts":{"da":{"title":"<Jazz>"}}}`
	if held.Entry != want {
		t.Errorf("got\n%s\nwant\n%s", held.Entry, want)
	}
	var read Date
	if err := json.Unmarshal(data, &read); err != nil || read.Entry.Value.Title != "\"Jazz\" \\ <b>&\u2028\x00🎷" || read.Entry.Value.OnlineLink != "https://x.example/?a=1&b=2" {
		t.Errorf("read %+v: %v", read.Entry.Value, err)
	}
}

// TestNoAttributeOfADateHoldsTheEntryAgain: apart from the entry, a date has only attributes that
// are searched, filtered and ordered by, and the entry is none of them.
func TestNoAttributeOfADateHoldsTheEntryAgain(t *testing.T) {
	used := map[string]bool{"revision": true}
	for _, list := range [][]string{Indexes[0].Searchable, Indexes[0].Equal, Indexes[0].Compare, Indexes[0].Sortable} {
		for _, name := range list {
			used[name] = true
		}
	}
	for _, name := range keysOf(Date{}) {
		if used[name] == (name == "entry") {
			t.Errorf("attribute %s: used %t", name, used[name])
		}
		delete(used, name)
	}
	delete(used, "revision")
	for name := range used {
		t.Errorf("%s is searched, filtered or ordered by, and no attribute of a date", name)
	}
}

func TestEncodedValuesAreReadInBothShapes(t *testing.T) {
	for _, data := range []string{`{"view":"{\"name\":\"a\"}"}`, `{"view":{"name":"a"}}`} {
		var record Record[LookupView]
		if err := json.Unmarshal([]byte(data), &record); err != nil || record.View == nil || record.View.Value.Name != "a" {
			t.Errorf("%s: %+v, %v", data, record.View, err)
		}
	}
	for _, data := range []string{`"{"`, `"\"x\""`, `7`, `"`} {
		var read Encoded[LookupView]
		if err := json.Unmarshal([]byte(data), &read); err == nil {
			t.Errorf("%s is read as %+v", data, read)
		}
	}
	if _, err := json.Marshal(Encoded[json.RawMessage]{json.RawMessage("{")}); err == nil || !strings.Contains(err.Error(), "unexpected end") {
		t.Errorf("encoded broken JSON: %v", err)
	}
}
