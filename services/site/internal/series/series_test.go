package series

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/sitetest"
)

const (
	fest  = "01920000-0000-7000-8000-0000000000f1"
	stage = "01920000-0000-7000-8000-0000000000f2"
	tent  = "01920000-0000-7000-8000-0000000000f3"
)

// dated returns an entry of a day in a part.
func dated(title, day, part string) publicapi.Listed {
	entry := sitetest.Entry(title, day)
	entry.UUID, entry.DateUUID = "01920000-0000-7000-8000-0000000000"+title[:2], "01920000-0000-7000-8000-0000000001"+title[:2]
	entry.SeriesPartUUID = value.Text(part)
	return entry
}

// TestProgramme: the dates of a series stand under their days, and these under their parts in the
// order of the series; those in none come first.
func TestProgramme(t *testing.T) {
	series := publicapi.ShownSeries{Dates: 4, Series: publicapi.Series{
		UUID: fest, Slug: "fest", OrgUUID: sitetest.OrgUUID, OrgName: "Hafen & Co", Title: "Hafenfest <b>", Subtitle: "Am Wasser", Description: "Mit *Licht*",
		WebLink: "https://fest.example", StartDate: "2026-11-23", EndDate: "2026-11-24",
		Image: &publicapi.Image{
			UUID: tent, Path: "https://litfass.example/api/image/" + tent + "/0123456789ab", Width: 1600, Height: 900, AltText: "Schiffe & \"Segel\"",
			CreatorName: "Ada Lund", Copyright: "Hafen", License: "cc-by", AIGenerated: true,
		},
		Parts: []publicapi.SeriesPart{{UUID: stage, Title: "Große Bühne", Description: "Am *Kai*"}, {UUID: tent, Title: "Zelt"}},
	}}
	coming := []publicapi.Listed{
		dated("a1 Zelt", "2026-11-23", tent), dated("a2 Umzug", "2026-11-23", ""), dated("a3 Bühne", "2026-11-23", stage), dated("a4 Zelt", "2026-11-24", tent),
	}
	var all []publicapi.Listed
	api := &sitetest.ComputedAPI{Answers: map[string]func(url.Values) any{
		"/api/series/fest": func(url.Values) any { return series },
		"/api/series/fest.jsonld": func(query url.Values) any {
			return map[string]string{"@type": "EventSeries", "in": query.Get("lang") + query.Get("portal")}
		},
		"/api/portal/kinder":      func(url.Values) any { return publicapi.Portal{Slug: "kinder", Name: "Kinder"} },
		"/api/choosable-licenses": func(url.Values) any { return []publicapi.Item{{ID: "cc-by", Name: "CC BY, Namensnennung"}} },
		"/api/events": func(query url.Values) any {
			if query.Has("not_over") {
				return publicapi.Events{Events: coming}
			}
			return publicapi.Events{Events: all}
		},
	}}
	ask := sitetest.Site(t, sitetest.Autumn, api, Mount)
	status, html := ask("/series/fest?lang=de")
	if status != http.StatusOK {
		t.Fatal(status, html)
	}
	sitetest.Wants(t, html, "Hafenfest &lt;b&gt;</h1>", "Mit <em>Licht</em>", "Am <em>Kai</em>", `href="https://fest.example"`, "Hafen &amp; Co",
		`/api/events.ics?lang=de&amp;not_over=true&amp;series_uuids=`+fest, `/embed/builder?lang=de&amp;series_uuids=`+fest, `href="#day-2026-11-24"`, `id="day-2026-11-24"`,
		`"@type":"EventSeries","in":"de"`, `rel="canonical" href="https://litfass.example/series/fest`)
	if _, html := ask("/p/kinder/series/fest?lang=da"); !strings.Contains(html, `"in":"dakinder"`) {
		t.Errorf("in a portal: %s", html)
	}
	const image = "/api/image/" + tent + "/0123456789ab?ratio="
	sitetest.Wants(t, html, `src="`+image+`16:9&amp;width=960"`, `width="960" height="540" alt="Schiffe &amp; &#34;Segel&#34;"`, "Ada Lund", "© Hafen",
		"CC BY, Namensnennung", "KI", `<meta property="og:image" content="https://litfass.example`+image+`3:2&amp;width=1200">`)
	last := 0
	for _, want := range []string{`id="day-2026-11-23"`, "a2 Umzug", ">Große Bühne</h4>", "a3 Bühne", ">Zelt</h4>", "a1 Zelt", `id="day-2026-11-24"`, ">Zelt</h4>", "a4 Zelt"} {
		at := strings.Index(html[last:], want)
		if at < 0 {
			t.Fatalf("%s does not follow in %s", want, html[last:])
		}
		last += at
	}
	series.EndDate, series.Image = "", nil
	_, html = ask("/series/fest?lang=de&again=0")
	sitetest.Wants(t, html, `<time datetime="2026-11-23">ab Mo, 23. Nov.</time>`)
	if strings.Contains(html, "series-banner") || strings.Contains(html, "<figure") {
		t.Error("a series without an image has a frame for it")
	}
	coming, all = nil, coming
	_, html = ask("/series/fest?lang=de&again=1")
	sitetest.Wants(t, html, "Das ist vorbei", "a4 Zelt")
	series.Dates, all = 0, nil
	_, html = ask("/series/fest?lang=de&again=2")
	sitetest.Wants(t, html, "ist gerade nichts angekündigt", "noindex")
	if status, html = ask("/series/unknown?lang=de"); status != http.StatusNotFound || !strings.Contains(html, "Diese Reihe gibt es nicht") {
		t.Errorf("%d %s", status, html)
	}
}

// TestTextsInLanguages: the page asks for the texts in its language, and marks those that are in
// another one.
func TestTextsInLanguages(t *testing.T) {
	german := publicapi.Series{
		UUID: fest, Slug: "fest", OrgUUID: sitetest.OrgUUID, Title: "Hafenfest", Subtitle: "Drei Tage", Description: "Am Kai",
		TextLanguage: "de", TextLanguages: []string{"de", "da"}, Texts: map[string]publicapi.SeriesText{"da": {Title: "Havnefest", Description: "Ved kajen"}},
		Parts: []publicapi.SeriesPart{{UUID: stage, Title: "Große Bühne"}},
	}
	danish := german
	danish.Title, danish.Description, danish.TextLanguage = "Havnefest", "Ved kajen", "da"
	api := &sitetest.ComputedAPI{Answers: map[string]func(url.Values) any{
		"/api/series/fest": func(query url.Values) any {
			if query.Get("lang") == "da" {
				return publicapi.ShownSeries{Series: danish}
			}
			return publicapi.ShownSeries{Series: german}
		},
		"/api/series/fest.jsonld": func(url.Values) any { return map[string]string{} },
		"/api/events":             func(url.Values) any { return publicapi.Events{} },
	}}
	ask := sitetest.Site(t, sitetest.Autumn, api, Mount)
	for lang, wants := range map[string][]string{
		"da": {
			`<h1 dir="auto">Havnefest</h1>`, `dir="auto" lang="de">Drei Tage</p>`, `<div class="prose list-text" dir="auto"><p>Ved kajen</p>`,
			`<h3 dir="auto" lang="de">`, `<title>Havnefest`, `hreflang="de"`, `/api/events.ics?lang=da`,
		},
		"de": {`<h1 dir="auto">Hafenfest</h1>`, `dir="auto">Drei Tage</p>`, `<h3 dir="auto">`},
		"en": {`<h1 dir="auto" lang="de">Hafenfest</h1>`, `<div class="prose list-text" dir="auto" lang="de">`},
	} {
		if status, html := ask("/series/fest?lang=" + lang); status != http.StatusOK {
			t.Errorf("%s: %d", lang, status)
		} else {
			sitetest.Wants(t, html, wants...)
		}
	}
}
