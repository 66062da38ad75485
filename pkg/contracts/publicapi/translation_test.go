package publicapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"litfass/pkg/contracts/value"
)

// Each text of an entry has its translation, and without one stays that of the original.
func TestEntriesInALanguage(t *testing.T) {
	t.Parallel()
	original := Entry{
		Title: "Konzert", Subtitle: `Unter "titel"`, Summary: "Kurz", ImageAltText: "Ein Chor", StatusNote: "Sturm", Tags: []string{`"texts":{"xx`},
		TextLanguage: "de", TextLanguages: []string{"de", "da"},
	}
	whole := EntryText{Title: "Koncert", Subtitle: `Under\"titel`, Summary: "Kort", ImageAltText: "Et kor", StatusNote: "Storm"}
	fields := reflect.TypeFor[EntryText]()
	for n := range 1 << fields.NumField() {
		translation, want := EntryText{}, original
		for i := range fields.NumField() {
			if n>>i&1 == 1 {
				text := reflect.ValueOf(whole).Field(i)
				reflect.ValueOf(&translation).Elem().Field(i).Set(text)
				reflect.ValueOf(&want).Elem().FieldByName(fields.Field(i).Name).Set(text)
			}
		}
		if translation.Title != "" {
			want.TextLanguage = "da"
		}
		entry := original
		entry.Texts = map[string]EntryText{"da": translation, "en": {Title: "Concert"}}
		want.Texts = entry.Texts
		if got := encode(t, want); string(InLanguage(encode(t, entry), "da")) != string(got) {
			t.Errorf("%b: got %s, want %s", n, InLanguage(encode(t, entry), "da"), got)
		}
		if data := encode(t, entry); string(InLanguage(data, "sv")) != string(data) {
			t.Errorf("%b: in a language without texts it is %s", n, InLanguage(data, "sv"))
		}
	}
}

// The texts of images and dates are translated with those of their event.
func TestEventsInALanguage(t *testing.T) {
	t.Parallel()
	event := Event{
		Title: "Konzert", Description: "Lang", MeetingPoint: "Tor", ParticipationInfo: "Bitte", StatusNote: "Sturm", TextLanguage: "",
		Texts: map[string]EventText{"da": {Description: "Lang på dansk", MeetingPoint: "Port", StatusNote: "Storm"}},
		Images: []Image{
			{AltText: "Ein Chor", Description: "Treppe", Texts: map[string]ImageText{"da": {AltText: "Et kor"}}},
			{AltText: "Eine Flöte", Texts: map[string]ImageText{}},
		},
		Dates: []Date{{StatusNote: "Sturm", Texts: map[string]DateText{"da": {StatusNote: "Storm"}}}, {StatusNote: "Der Chor ist krank."}},
	}
	var got Event
	if err := json.Unmarshal(InLanguage(encode(t, event), "da"), &got); err != nil {
		t.Fatal(err)
	}
	shown := fmt.Sprint(got.Title, got.Description, got.MeetingPoint, got.ParticipationInfo, got.StatusNote, got.TextLanguage,
		got.Images[0].AltText, got.Images[0].Description, got.Images[1].AltText, got.Dates[0].StatusNote, got.Dates[1].StatusNote)
	if want := "KonzertLang på danskPortBitteStorm" + "Et korTreppeEine FlöteStormDer Chor ist krank."; shown != want {
		t.Errorf("got %s, want %s", shown, want)
	}
}

func TestLanguagesOf(t *testing.T) {
	t.Parallel()
	for want, entry := range map[string]Entry{
		"[]":      {Title: `"texts":{"da":`},
		"[da en]": {Texts: map[string]EntryText{"en": {Title: "}{"}, "da": {Subtitle: `"`}}},
	} {
		if got := LanguagesOf(encode(t, entry)[1:]); fmt.Sprint(got) != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	if got := LanguagesOf([]byte(`"texts":{"da":`)); slices.Contains(got, "en") {
		t.Errorf("of what is broken: %v", got)
	}
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	data, err := value.JSON(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
