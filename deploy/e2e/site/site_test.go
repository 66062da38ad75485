package site

import (
	"net/url"
	"testing"

	"litfass/deploy/e2e/browser"
	"litfass/deploy/e2e/harness"
)

// siteTest is a stack with the site's catalogue and a browser.
type siteTest struct {
	*harness.System
	browser *browser.Browser
	host    string // another website, see serveHost
}

// TestSite walks through the site in a real browser, with only a keyboard, as visitors and other
// websites use it.
func TestSite(t *testing.T) {
	t.Parallel() // with TestConsole: both wait for a browser most of the time
	s := &siteTest{System: harness.Start(t), browser: browser.Start(t)}
	importSite(s.System, t)
	s.AwaitReady(t)
	s.host = s.serveHost(t)
	t.Run("journeys", s.testJourneys)
	t.Run("journeys without scripts", s.testJourneysWithoutScripts)
	t.Run("every page", s.testEveryPage)
	t.Run("budgets", s.testBudgets)
	t.Run("headers", s.testHeaders)
	t.Run("frames", s.testFrames)
	t.Run("hostile feeds", s.testHostileFeeds)
	t.Run("widget", s.testWidget)
	t.Run("changes", s.testChanges)
	t.Run("landings", s.testLandings)
	t.Run("guide", s.testGuide)
}

// maxShift is the maximum layout shift of a page (Cumulative Layout Shift).
const maxShift = 0.02

// walk runs a journey through the site. scripts says whether pages have any.
func (s *siteTest) walk(t *testing.T, name string, scripts bool, args map[string]any) browser.Result {
	t.Helper()
	args["scripts"] = scripts
	j := browser.Journey{Name: name, Base: s.URL(), Args: args, Context: map[string]any{"javaScriptEnabled": scripts}}
	return s.browser.Run(t, j)
}

func (s *siteTest) testJourneys(t *testing.T) { s.testFinding(t, true) }

func (s *siteTest) testJourneysWithoutScripts(t *testing.T) { s.testFinding(t, false) }

// testFinding finds events in every way, and goes on from there.
func (s *siteTest) testFinding(t *testing.T, scripts bool) {
	t.Run("search", func(t *testing.T) {
		s.walk(t, "search", scripts, map[string]any{"word": "Mondsch", "event": serenade, "title": serenadeTitle})
	})
	t.Run("filters", func(t *testing.T) {
		s.walk(t, "filters", scripts, map[string]any{
			"event": sang, "city": "Flensburg", "language": "da", "price": "free",
		})
	})
	t.Run("today", func(t *testing.T) {
		titles := map[string]any{"path": "/?tags=heute", "today": "Frühstück am Deich", "run": "Lange Ausstellung", "tomorrow": "Tanztee"}
		s.walk(t, "today", scripts, titles)
	})
	t.Run("misspelt words", func(t *testing.T) {
		s.walk(t, "forgives", scripts, map[string]any{"words": "Deih Frühstück", "event": siteID(120)})
	})
	t.Run("the filter of the menu", func(t *testing.T) {
		s.walk(t, "carried", scripts, map[string]any{"city": "Husum", "word": serenadeTitle, "language": "de", "event": serenade, "venue": husum})
	})
	t.Run("month", func(t *testing.T) {
		s.walk(t, "month", scripts, map[string]any{"event": serenade, "title": serenadeTitle, "day": harness.Day(12)})
	})
	t.Run("map", func(t *testing.T) {
		s.walk(t, "map", scripts, map[string]any{
			"filter": url.Values{"event_uuids": {serenade + "," + sang + "," + exhibition}}.Encode(),
			"venue":  husum, "name": "Speicher am Hafen", "events": []string{serenade, exhibition},
		})
	})
	t.Run("languages", func(t *testing.T) {
		s.walk(t, "languages", scripts, map[string]any{"filter": "city=Husum&search=Mondscheinserenade", "event": serenade})
	})
	t.Run("event", func(t *testing.T) {
		s.walk(t, "event", scripts, map[string]any{"event": serenade, "date": serenadeDates[0]})
	})
	t.Run("calendar", func(t *testing.T) { s.testCalendarFile(t, scripts) })
	t.Run("developers", func(t *testing.T) { s.walk(t, "developers", scripts, map[string]any{"city": "Husum"}) })
	t.Run("builder", func(t *testing.T) { s.walk(t, "builder", scripts, map[string]any{"city": "Husum"}) })
}
