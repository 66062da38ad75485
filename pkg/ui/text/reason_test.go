package text_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/language"
	"litfass/pkg/ui/text"
)

var (
	parameter = regexp.MustCompile(`{{\.(\w+)}}`)
	unfilled  = regexp.MustCompile(`(^|[^{]){\w+}`)
)

// TestEveryReasonIsTranslated: each code has a message in each language, with parameters that the
// code has, and each message a code.
func TestEveryReasonIsTranslated(t *testing.T) {
	for _, code := range language.Codes {
		content, err := os.ReadFile("messages/reason." + code + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var messages map[string]string
		if err := json.Unmarshal(content, &messages); err != nil {
			t.Fatal(err)
		}
		for _, d := range reason.All() {
			message := messages["reason."+d.Code]
			if message == "" {
				t.Errorf("%s does not translate %s", code, d.Code)
			}
			if unfilled.MatchString(message) {
				t.Errorf("%s shows the name of a parameter: %s", code, message)
			}
			for _, match := range parameter.FindAllStringSubmatch(message, -1) {
				if !slices.ContainsFunc(d.Params, func(p reason.Param) bool { return p.Name == match[1] }) {
					t.Errorf("%s: %s has no parameter %s", code, d.Code, match[1])
				}
			}
			delete(messages, "reason."+d.Code)
		}
		for _, word := range reason.Words() {
			id := "reason_word." + strings.ReplaceAll(word.String(), " ", "_")
			if messages[id] == "" {
				t.Errorf("%s does not translate %s", code, id)
			}
			delete(messages, id)
		}
		for _, set := range reason.Sets() {
			id := "reason_word." + strings.ReplaceAll(string(set), "-", "_")
			if messages[id] == "" {
				t.Errorf("%s does not translate %s", code, id)
			}
			delete(messages, id)
		}
		for id := range messages {
			t.Errorf("%s translates %s, which is no code", code, id)
		}
	}
}

// shownByTheForm are the parameters that messages leave out, by code: the form shows them, as the
// other field or the values to choose from, or they are for programs.
var shownByTheForm = map[string]string{
	"after": "field", "before": "field", "below": "field", "not_json": "problem", "not_one_of": "allowed",
	"state_of_other_country": "country", "status_not_after": "status", "unknown_bits": "max",
}

// TestParametersAreShown: the messages of a code show the texts among its parameters, and so are
// as exact as the sentence in English.
func TestParametersAreShown(t *testing.T) {
	for _, code := range language.Codes {
		content, err := os.ReadFile("messages/reason." + code + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var messages map[string]string
		if err := json.Unmarshal(content, &messages); err != nil {
			t.Fatal(err)
		}
		for _, d := range reason.All() {
			for _, p := range d.Params {
				isText := strings.Contains(p.Type, "text")
				if isText && shownByTheForm[d.Code] != p.Name && !strings.Contains(messages["reason."+d.Code], "{{."+p.Name+"}}") {
					t.Errorf("%s: %s does not show %s", code, d.Code, p.Name)
				}
			}
		}
	}
}

// TestReason: an answer is translated by its code as it comes from a service, and a code or
// parameters that are not known show the English sentence.
func TestReason(t *testing.T) {
	german := text.Load(fstest.MapFS{}).Of("de").ForRequest()
	for _, c := range []struct{ details, want string }{
		{`{"reason":"has more than 1000000 characters","code":"too_long","params":{"max":1000000}}`, "Höchstens 1000000 Zeichen."},
		{`{"reason":"is missing","code":"required","params":{}}`, "Bitte ausfüllen."},
		{
			`{"reason":"names no space of the venue","code":"unknown_reference","params":{"kind":"space of the venue"}}`,
			"Das gibt es nicht mehr, oder Sie dürfen es nicht verwenden: Raum.",
		},
		{
			`{"reason":"is not one of the event types","code":"not_in_set","params":{"set":"event-types"}}`,
			"Wählen Sie einen der angebotenen Werte (Veranstaltungsarten).",
		},
		{`{"reason":"?","code":"unknown_column","params":{"column":"date"}}`, "Die Datei hat keine Spalte date."},
		{
			`{"reason":"?","code":"item_not_one_of","params":{"value":"<b>","allowed":["a","b"]}}`,
			"<b> ist keiner der möglichen Werte: a, b",
		},
		{`{"reason":"is new","code":"of_a_newer_service","params":{"max":3}}`, "is new"},
		{`{"reason":"has more than some","code":"too_long","params":{"least":3}}`, "has more than some"},
		{`{"reason":"from before codes"}`, "from before codes"},
	} {
		var v fault.Violation
		if err := json.Unmarshal([]byte(c.details), &v); err != nil {
			t.Fatal(err)
		}
		if got, translated := german.Reason(v); got != c.want || translated != (got != v.Reason) {
			t.Errorf("%s: %q, want %q", c.details, got, c.want)
		}
	}
}

func TestFallback(t *testing.T) {
	library := text.Load(fstest.MapFS{})
	german, english := library.Of("de").ForRequest(), library.Of("en").ForRequest()
	german.Fallback("is new")
	english.Fallback("is new")
	for _, c := range []struct {
		texts *text.Texts
		words string
		want  bool
	}{
		{german, "is new", true}, {german, "ist neu", false}, {english, "is new", false}, {library.Of("de"), "is new", false},
		{library.Of("de").ForRequest(), "is new", false},
	} {
		if got := c.texts.IsFallback(c.words); got != c.want {
			t.Errorf("%s in %s: %t", c.words, c.texts.Code, got)
		}
	}
}
