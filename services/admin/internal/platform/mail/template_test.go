package mail

import (
	"strings"
	"testing"
	"time"

	spoken "litfass/pkg/contracts/language"
)

func TestNamesStayInTheirPlace(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Kühlhaus\r\nBcc: x@example.org": "Kühlhaus Bcc: x@example.org", " a\tb\u2028c\u0085d ": "a b c d",
		"Kiel\u202Emoc.live//:ptth\u202C": "Kiel moc.live//:ptth", "\u2066x\u2069\u200F": "x", "שלום": "שלום",
	} {
		if got := oneLine(name); got != want {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
	}
}

// A mail program makes nothing of a name but text: no link, and no encoded word.
func TestNamesAreInert(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"https://evil.example/login": "https:/ /evil. example/login", "www.evil.example": "www. evil. example",
		"=?utf-8?B?TGl0ZmFzcw==?=": "= ?utf-8?B?TGl0ZmFzcw== ?=", "a@evil.example": "a@evil. example",
		"evil\u3002example": "evil\u3002 example", "evil.\u200dexample": "evil. example", "http:/\u200b/localhost": "http:/ /localhost",
		"Kulturhaus Nord e. V.": "Kulturhaus Nord e. V.", "St. Pauli & Søn": "St. Pauli & Søn", "Und dann...": "Und dann...", "=\u200b?": "= ?",
	} {
		if got := inert(name); got != want {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
	}
	renderer, err := NewRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range spoken.Codes {
		for _, name := range []string{TemplateInvite, TemplateReported, TemplateTakenBack, TemplateTakedownLifted, TemplateVenueAsked, TemplateVenueAccepted, TemplateVenueRefused, TemplateSeriesAsked, TemplateSeriesAccepted, TemplateSeriesRefused} {
			got, err := renderer.render(name, Content{
				Link: "https://litfass.example/x", Valid: 24 * time.Hour, Locale: language, Event: "evil.example =?utf-8?Q?z?=", Venue: "http://evil.example",
				Organization: "http://evil.example/ =?utf-8?Q?x?=", Inviter: "//evil.example =?utf-8?Q?y?=", Name: "evil.example",
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{got.subject, got.text, got.html} {
				if strings.Contains(part, "evil.example") || strings.Contains(part, "//evil") || strings.Contains(part, "=?") {
					t.Errorf("%s in %s: %s", name, language, part)
				}
			}
		}
	}
}

func TestEveryTemplateInEveryLanguage(t *testing.T) {
	t.Parallel()
	renderer, err := NewRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		for _, language := range spoken.Codes {
			for _, content := range []Content{
				{Link: "https://example.org/?token=a_b-c", Valid: 24 * time.Hour, Locale: language},
				{Link: "https://example.org/?token=a_b-c", Valid: 50 * time.Hour, Locale: language, Name: "Zoë & <Ко>",
					Organization: "Kühlhaus \"Nord\"", Inviter: "Søren", Event: "<Ко>", Reason: "<Ко>\nagain"},
			} {
				got, err := renderer.render(name, content)
				if err != nil {
					t.Fatalf("%s.%s: %v", name, language, err)
				}
				for part, text := range map[string]string{"subject": got.subject, "text": got.text, "HTML": got.html} {
					if strings.TrimSpace(text) == "" || strings.Contains(text, "{{") || strings.Contains(text, "no value") {
						t.Errorf("%s.%s: %s is %q", name, language, part, text)
					}
				}
				if !strings.Contains(got.text, content.Link) || !strings.Contains(got.html, `lang="`+language+`"`) {
					t.Errorf("%s.%s lacks its link or language", name, language)
				}
				if strings.Contains(got.html, "<Ко>") {
					t.Errorf("%s.%s: a name is not escaped", name, language)
				}
			}
		}
	}
	if _, err := renderer.render("unknown", Content{Locale: "en"}); err == nil {
		t.Error("an unknown template was rendering")
	}
}
