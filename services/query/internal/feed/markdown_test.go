package feed

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/mmcdole/gofeed"

	"litfass/pkg/contracts/value"
)

// TestMarkdown: as HTML and as plain text.
func TestMarkdown(t *testing.T) {
	for source, want := range map[string]struct{ html, text string }{
		"": {"", ""},
		"Drei Abende *live*, **laut**\nund ~~leise~~": {
			"<p>Drei Abende <em>live</em>, <strong>laut</strong>\nund <del>leise</del></p>", "Drei Abende live, laut\nund leise",
		},
		"# Programm\n\n- Jazz\n- *Swing*\n\n3. eins\n4. zwei\n\nEnde": {
			"<h1>Programm</h1>\n<ul>\n<li>Jazz</li>\n<li><em>Swing</em></li>\n</ul>\n<ol start=\"3\">\n<li>eins</li>\n<li>zwei</li>\n</ol>\n<p>Ende</p>",
			"Programm\n\n- Jazz\n- Swing\n\n3. eins\n4. zwei\n\nEnde",
		},
		"[Karten](https://tickets.example/?a=1&b=2) oder https://nord.example": {
			`<p><a href="https://tickets.example/?a=1&amp;b=2">Karten</a> oder <a href="https://nord.example">https://nord.example</a></p>`,
			"Karten (https://tickets.example/?a=1&b=2) oder https://nord.example",
		},
		"[x](javascript:alert(1)) [y](/z) ![Plakat](https://host.example/x.png)": {"<p>x y Plakat</p>", "x y Plakat"},
		"<b onclick=\"x()\">laut</b> &amp; 1 < 2": {
			"<p>&lt;b onclick=&quot;x()&quot;&gt;laut&lt;/b&gt; &amp; 1 &lt; 2</p>", "<b onclick=\"x()\">laut</b> & 1 < 2",
		},
		"<script>alert(1)</script>": {"<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>", "<script>alert(1)</script>"},
		"> Zitat\n\n`a < b`\n\n```\nx\n y\n```": {
			"<blockquote>\n<p>Zitat</p>\n</blockquote>\n<p><code>a &lt; b</code></p>\n<pre><code>x\n y\n</code></pre>", "Zitat\n\na < b\n\nx\n y",
		},
		"2 \\* 3 &copy;": {"<p>2 * 3 ©</p>", "2 * 3 ©"},
	} {
		if got := asHTML(source); got != want.html {
			t.Errorf("%q: HTML %q, want %q", source, got, want.html)
		}
		if got := asText(source); got != want.text {
			t.Errorf("%q: text %q, want %q", source, got, want.text)
		}
	}
}

// TestTextsOfEachFormat: HTML where the format has HTML, otherwise plain text.
func TestTextsOfEachFormat(t *testing.T) {
	item := changed("1", func(i *Item) {
		i.Subtitle, i.Summary = "1 < 2", "Drei Abende *live*"
		i.Details = &Details{Description: "## Karten\n\n- [hier](https://tickets.example)"}
	})
	const html, plain = "<p>1 &lt; 2</p><p>Drei Abende <em>live</em></p><h2>Karten</h2>", "1 < 2\n\nDrei Abende live\n\nKarten\n\n- hier (https://tickets.example)"
	for name, write := range map[string]func(Feed) ([]byte, error){"rss": RSS, "atom": Atom, "json": JSON} {
		data, err := write(feedOf(t, item))
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := gofeed.NewParser().Parse(bytes.NewReader(data))
		if err != nil || !strings.Contains(parsed.Items[0].Content+parsed.Items[0].Description, html) {
			t.Errorf("%s: %v in %s", name, err, data)
		}
	}
	_, calendar := calendarOf(t, item)
	if got := text(t, calendar.Events()[0].Props, "DESCRIPTION"); !strings.HasPrefix(got, plain) {
		t.Errorf("the calendar says %q", got)
	}
	if got := described(t, item)[0]["description"]; got != plain {
		t.Errorf("JSON-LD says %q", got)
	}
}

// TestCalendarsSayWhatDoesNotTakePlace: also where only the summary is shown.
func TestCalendarsSayWhatDoesNotTakePlace(t *testing.T) {
	_, calendar := calendarOf(t, concert(), changed("2", func(i *Item) { i.ReleaseStatus, i.StatusName = "cancelled", "Abgesagt" }))
	for n, want := range []string{"Jazz am Hafen", "[Abgesagt] Jazz am Hafen"} {
		if got := text(t, calendar.Events()[n].Props, "SUMMARY"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// TestAnEmptyCalendarIsValid: it has a component (RFC 5545, 3.6), which another parser encodes only
// if the calendar is valid.
func TestAnEmptyCalendarIsValid(t *testing.T) {
	data, calendar := calendarOf(t)
	if len(calendar.Children) == 0 || calendar.Children[0].Name != "VTIMEZONE" {
		t.Errorf("%s", data)
	}
}

// TestAFeedIsNamedByItsFilter: in the words that were sent, and the names of values.
func TestAFeedIsNamedByItsFilter(t *testing.T) {
	names := map[string]string{"event_types 3": "Konzert", "genres 1002": "Jazz", "price_type free": "Kostenlos", "countries DEU": "Deutschland"}
	for query, want := range map[string]string{
		"":                                      "Litfass",
		"limit=5&lang=de&sort=changed":          "Litfass",
		"city=*Kiel*&event_types=3":             "Litfass: Kiel, Konzert",
		"search=jazz+am+hafen&price=free":       "Litfass: jazz am hafen, Kostenlos",
		"genres=1002,9&tags=a,b&tags=a":         "Litfass: Jazz, a, b",
		"start=today&venue_uuids=" + venueUUID:  "Litfass: Kulturhalle",
		"org_uuids=" + strings.ToUpper(orgUUID): "Litfass: Kulturhaus Nord",
		"event_uuids=" + eventUUID:              "Litfass: Jazz am Hafen",
		"start=2026-11-01":                      "Litfass: 2026-11-01 –",
		"start=2026-11-01&end=2026-11-30":       "Litfass: 2026-11-01 – 2026-11-30",
		"end=2026-11-30":                        "Litfass: – 2026-11-30",
		"on=2026-11-20":                         "Litfass: 2026-11-20",
		"on=weekend":                            "Litfass",
		"tags=a,b,c,d,e,f,g,h":                  "Litfass: a, b, c, d, e, f",
	} {
		sent, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		got := feedOf(t).Site.TitleOf(sent, []Item{concert(), concert()}, func(dimension, value string) string { return names[dimension+" "+value] })
		if got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// FuzzMarkdown: nothing that an organizer writes becomes an element with a script, or stops a feed.
func FuzzMarkdown(f *testing.F) {
	for _, source := range []string{hostile, "*a", "[a](b", "- 1\n\n  > x", "<a href='javascript:x'>", "![](data:x)", "&#0;\\", "1. a\n   1. b"} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		for _, bad := range []string{"<script", "<img", "<iframe", `href="javascript`, `href="data`} {
			if html := asHTML(source); strings.Contains(html, bad) {
				t.Errorf("%q: %s", source, html)
			}
		}
		data, err := json.Marshal(asText(source))
		if err != nil || !json.Valid(data) {
			t.Errorf("%q: %v", source, err)
		}
		if _, err := ICS(feedOf(t, changed("1", func(i *Item) { i.Summary, i.OnlineLink = source, value.Text(source) }))); err != nil {
			t.Error(err)
		}
	})
}
