package detail_test

import (
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/contributor"
	"litfass/services/site/internal/event"
	"litfass/services/site/internal/organization"
	"litfass/services/site/internal/region"
	"litfass/services/site/internal/sitetest"
	"litfass/services/site/internal/venue"
)

// mounts are the pages of entities.
var mounts = []sitetest.Mount{event.Mount, venue.Mount, organization.Mount, contributor.Mount, region.Mount}

// detailPages are the paths of the pages of entities.
var detailPages = []string{
	"/event/" + sitetest.EventUUID, "/event/" + sitetest.EventUUID + "?date=" + sitetest.DateUUID, "/event/" + sitetest.EventUUID + "/report",
	"/venue/" + sitetest.VenueUUID, "/organization/" + sitetest.OrgUUID, "/contributor/" + sitetest.ContributorUUID, region.Path(sitetest.RegionKey), "/regions",
}

// TestDetailPagesAreHarmless: the texts of organizers run, load and submit nothing.
func TestDetailPagesAreHarmless(t *testing.T) {
	for _, text := range sitetest.HostileTexts {
		app := sitetest.Over(t, sitetest.FullAPI(text), sitetest.Sunday, mounts...)
		for _, path := range detailPages {
			for _, element := range sitetest.Elements(t, sitetest.Page(t, app, path)) {
				sitetest.CheckHarmless(t, path+" with "+text, element)
			}
		}
	}
}

func with(path, parameter string) string {
	if strings.Contains(path, "?") {
		return path + "&" + parameter
	}
	return path + "?" + parameter
}

// TestDetailPagesAreWhole: each page has one heading of the first level, unique ids, no missing
// value, its language and its canonical address.
func TestDetailPagesAreWhole(t *testing.T) {
	app := sitetest.Over(t, sitetest.FullAPI("Jazz"), sitetest.Sunday, mounts...)
	for _, path := range detailPages {
		for _, lang := range language.Codes {
			page := sitetest.Page(t, app, with(path, "lang="+lang))
			headings, ids := 0, map[string]bool{}
			for _, element := range sitetest.Elements(t, page) {
				if element.Data == "h1" {
					headings++
				}
				for _, attribute := range element.Attr {
					if attribute.Key == "id" && ids[attribute.Val] {
						t.Errorf("%s: id %q is there twice", path, attribute.Val)
					}
					ids[attribute.Val] = ids[attribute.Val] || attribute.Key == "id"
				}
			}
			if headings != 1 || !strings.Contains(page, `<html lang="`+lang+`"`) || strings.Contains(page, "no value") {
				t.Errorf("%s in %s: %d headings in %s", path, lang, headings, page)
			}
			clean, _, _ := strings.Cut(path, "?")
			if lang != language.Default {
				clean += "?lang=" + lang
			}
			if !strings.Contains(page, `rel="canonical" href="https://litfass.example`+clean+`"`) {
				t.Errorf("%s in %s: the canonical address is missing", path, lang)
			}
		}
	}
}

// TestFurtherEventsAreNotOver: no page of an entity offers an event that is over.
func TestFurtherEventsAreNotOver(t *testing.T) {
	for _, path := range detailPages[:6] {
		api := sitetest.FullAPI("Jazz")
		sitetest.Page(t, sitetest.Over(t, api, sitetest.Sunday, mounts...), path)
		asked := 0
		for _, address := range api.Requests() {
			if strings.HasPrefix(address, "/api/events?") {
				asked++
				if !strings.Contains(address, "not_over=true") {
					t.Errorf("%s reads %s", path, address)
				}
			}
		}
		if asked == 0 && !strings.HasSuffix(path, "/report") {
			t.Errorf("%s reads no events", path)
		}
	}
}

// TestRegionsAsTheSearchNamesThem lead to the same page.
func TestRegionsAsTheSearchNamesThem(t *testing.T) {
	app := sitetest.Over(t, sitetest.FullAPI("Jazz"), sitetest.Sunday, mounts...)
	for _, key := range []string{sitetest.RegionKey, strings.ReplaceAll(sitetest.RegionKey, ",", "%2C")} {
		page := sitetest.Page(t, app, "/region/"+key)
		if !strings.Contains(page, `rel="canonical" href="https://litfass.example/region/deutschland_schleswig-holstein_flensburg"`) {
			t.Errorf("%s: %s", key, page)
		}
	}
}

// TestMinimalEvent: unknown facts leave no empty parts.
func TestMinimalEvent(t *testing.T) {
	app := sitetest.Over(t, &sitetest.EntityAPI{
		Event: publicapi.EventDetails{Event: publicapi.Event{UUID: sitetest.EventUUID, Title: "Jazz", ReleaseStatus: "released"}},
		Venue: publicapi.Venue{UUID: sitetest.VenueUUID, Name: "Hall"}, Organization: publicapi.Organization{UUID: sitetest.OrgUUID, Name: "Club"},
		Contributor: publicapi.Contributor{UUID: sitetest.ContributorUUID, Name: "Trio"},
	}, sitetest.Sunday, mounts...)
	for _, lang := range language.Codes {
		for _, path := range []string{"/event/" + sitetest.EventUUID, "/venue/" + sitetest.VenueUUID} {
			page := sitetest.Page(t, app, with(path, "lang="+lang))
			for _, absent := range []string{
				`href=""`, "<img", "ticket-when", "ticket-line", "<dl", `id="dates"`, "access-title", "application/ld+json", "<address", "og:image",
			} {
				if strings.Contains(page, absent) {
					t.Errorf("%s in %s has %s", path, lang, absent)
				}
			}
		}
		sitetest.Page(t, app, with("/organization/"+sitetest.OrgUUID, "lang="+lang))
		sitetest.Page(t, app, with("/contributor/"+sitetest.ContributorUUID, "lang="+lang))
	}
}

// TestHoldingOrganizationIsGone: an organization has a page also when the parent organization
// cannot be read, because the parent is not public.
func TestHoldingOrganizationIsGone(t *testing.T) {
	const none = "01920000-0000-7000-8000-00000000dead"
	api := sitetest.FullAPI("Jazz")
	for holding, want := range map[value.Text]bool{sitetest.OrgUUID: true, none: false} {
		api.Organization.HoldingOrgUUID = holding
		app := sitetest.Over(t, api, sitetest.Sunday, mounts...)
		status, _, page := sitetest.Ask(t, app, http.MethodGet, "/organization/"+sitetest.OrgUUID, "")
		if status != http.StatusOK || strings.Contains(page, `id="holding-title"`) != want {
			t.Errorf("held by %s: %d %s", holding, status, page)
		}
	}
}

// TestWhatIsGone: each page names the missing thing, and an address that cannot name anything sends
// no request.
func TestWhatIsGone(t *testing.T) {
	api := &sitetest.EntityAPI{}
	app := sitetest.Over(t, api, sitetest.Sunday, mounts...)
	const none = "01920000-0000-7000-8000-00000000dead"
	for path, want := range map[string]string{
		"/event/" + none: "This event is no longer available", "/event/" + none + "/report": "This event is no longer available",
		"/venue/" + none: "This venue is not listed", "/organization/" + none: "This organizer is not listed",
		"/contributor/" + none: "This person or group is not listed",
		"/region/a,b,c":        "This region is not known",
	} {
		status, header, page := sitetest.Ask(t, app, http.MethodGet, path, "")
		if status != http.StatusNotFound || !strings.Contains(page, want) {
			t.Errorf("%s: %d %s", path, status, page)
		}
		if position := header.Get(web.HeaderPosition); position != "7" {
			t.Errorf("%s is complete up to %q", path, position)
		}
	}
	before := len(api.Requests())
	for _, path := range []string{
		"/event/x", "/event/..%2Fvenues", "/event/" + none + "%3Flang=de", "/venue/%00", "/organization/1", "/contributor/1", "/region/a,b", "/region/a,,c", "/region/%2F",
	} {
		if status, _, page := sitetest.Ask(t, app, http.MethodGet, path, ""); status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, status, page)
		}
	}
	if query := api.Requests()[before:]; len(query) > 0 {
		t.Errorf("asked for %q", query)
	}
}
