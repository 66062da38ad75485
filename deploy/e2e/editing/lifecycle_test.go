package editing

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/pkg/media/imaging/imagingtest"
)

// testLifecycle follows one event from its organizer's signup to its deletion. After each write it
// waits until the public answers have the write's position; from then on they show it everywhere.
func (s *editing) testLifecycle(t *testing.T) {
	p := s.plan(t, s.SignUp(t, "anna@example.org"))
	p.isHidden(t, "as a draft", sample{step: 8})
	p.isNotListed(t)
	p.previewEnds(t)
	p.isReleased(t)
	p.duplicateIsHidden(t)
	p.moves(t)
	p.losesADate(t)
	other := p.venueIsRenamed(t)
	p.goesBackToDraft(t)
	p.isDeleted(t)
	settle(p.System, t, "the deletion of the other event", p.deletes(t, other))
	p.isNotListed(t)
}

// settle waits until the public answers are complete up to a position, and logs for how long.
func settle(s *harness.System, t *testing.T, what string, position uint64) {
	t.Helper()
	began := time.Now()
	harness.Await(t, what, func() error {
		answer, err := s.Client.Get(t.Context(), "/api/venues?limit=1")
		if err != nil {
			return err
		}
		at := client.Position(answer.Header) // 0 while it is not known
		if at < position {
			return fmt.Errorf("position %d, and not yet %d", at, position)
		}
		return nil
	})
	t.Logf("%s: public %d ms after the answer", what, time.Since(began).Milliseconds())
}

// changed writes a part of the event and waits until that is public.
func (p *programme) changed(t *testing.T, part, body string) {
	t.Helper()
	_, position := p.Change(t, http.MethodPut, p.path(part), body)
	settle(p.System, t, part, position)
}

// deletes deletes an event and returns the position.
func (p *programme) deletes(t *testing.T, event string) (position uint64) {
	t.Helper()
	_, position = p.Change(t, http.MethodDelete, "/event/"+event, fmt.Sprintf(`{"password": %q}`, harness.EditorPassword))
	return position
}

// isHidden checks that nothing of the event is public. An event that was public is tried with every
// request once, the other stages with samples that have no request in common.
func (p *programme) isHidden(t *testing.T, stage string, chosen sample) {
	t.Helper()
	for _, way := range p.ways() {
		p.foundBy(t, stage, way, nil)
	}
	for _, path := range []string{"/api/event/" + p.event, "/api/event/" + p.event + "/date/" + p.dates[0]} {
		if p.detail(t, path) != nil {
			t.Errorf("%s: %s is found", stage, path)
		}
	}
	mustHide(p.System, t, stage, p.secrets(), chosen)
}

// isNotListed checks that the organization is not public: it has no public event.
func (p *programme) isNotListed(t *testing.T) {
	t.Helper()
	if listed := p.listings(t); len(listed) > 0 {
		t.Errorf("without a public event the organization is in %v", listed)
	}
}

// listings returns where the organization is public.
func (p *programme) listings(t *testing.T) (listed []string) {
	t.Helper()
	found, err := p.Listed(t.Context(), "/api/organizations?search=quarkhaus", "organizations")
	if err != nil {
		t.Fatal(err)
	}
	choosable, err := p.ChoosableOrganizations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	answer, err := p.System.Client.Get(t.Context(), "/api/organization/"+p.org)
	if err != nil {
		t.Fatal(err)
	}
	for place, there := range map[string]bool{
		"the search": slices.Contains(found, p.org), "the choosable": slices.Contains(choosable, p.org),
		"its own answer": answer.Status == http.StatusOK,
	} {
		if there {
			listed = append(listed, place)
		}
	}
	return listed
}

func (p *programme) isReleased(t *testing.T) {
	t.Helper()
	p.changed(t, "release-status", `{"release_status": "released"}`)
	for _, way := range p.ways() {
		p.foundBy(t, "released", way, weeks)
	}
	if listed := p.listings(t); len(listed) != 3 {
		t.Errorf("released: the organization is only in %v", listed)
	}
	p.showsEverything(t)
	p.showsImage(t)
	mustExpose(p.System, t, p.secrets())
}

// showsEverything checks the public answers about the event, its dates and its places.
func (p *programme) showsEverything(t *testing.T) {
	t.Helper()
	event := p.detail(t, "/api/event/"+p.event)
	for key, want := range map[string]string{
		"title": p.title, "subtitle": subtitle, "summary": "Mit *" + summary + "*", "description": "Ein Abend mit " + description + ".",
		"org_uuid": p.org, "venue_uuid": p.hall, "venue_name": p.venue, "space_uuid": p.room, "space_name": "Kesselraum",
		"image_uuid": p.main, "release_status": "released", "venue_accessibility_flags": "19", "visitor_info_flags": "4097",
	} {
		if event.Text(key) != want {
			t.Errorf("%s of the event is %v, want %s", key, event[key], want)
		}
	}
	for key, want := range map[string]string{
		"tags": "[" + tag + " Konzert]", "languages": "[de da]", "categories": "[4]", "min_price": "12.5", "currency": "EUR",
	} {
		if fmt.Sprint(event[key]) != want {
			t.Errorf("%s of the event is %v, want %s", key, event[key], want)
		}
	}
	if links := fmt.Sprint(event["event_links"]); !strings.Contains(links, linkLabel) {
		t.Errorf("the links of the event are %s", links)
	}
	if dates, _ := event["dates"].([]any); len(dates) != len(weeks) {
		t.Errorf("the event shows %d dates", len(dates))
	}
	for i, uuid := range p.dates {
		for _, name := range []string{uuid, weeks[i] + "-2000"} {
			shown := p.detail(t, "/api/event/"+p.event+"/date/"+name)
			date, _ := shown["date"].(map[string]any)
			if further, _ := shown["further_dates"].([]any); date["uuid"] != uuid || len(further) != len(weeks)-1 {
				t.Errorf("date %s shows %v and %d further ones", name, date["uuid"], len(further))
			}
		}
	}
	if venues, err := p.Listed(t.Context(), "/api/venues?accessibility=0,4&org_uuids="+p.org, "venues"); err != nil || !slices.Equal(venues, []string{p.hall}) {
		t.Errorf("accessible venues of the organization are %v, %v", venues, err)
	}
}

// showsImage checks that a narrow crop of the image is the half around its focus point.
func (p *programme) showsImage(t *testing.T) {
	t.Helper()
	path := p.ImagePaths(t, p.event)["main"]
	p.WantImage(t, path, image.Pt(1200, 900))
	response := p.Image(t, path+"?ratio=2:3&height=900")
	drawn, _, err := image.Decode(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	right := [4]color.RGBA{imagingtest.Green, imagingtest.Green, imagingtest.Yellow, imagingtest.Yellow}
	imagingtest.WantCorners(t, "the cut around the focus point", drawn, right)
}

// duplicateIsHidden: a copy of the public event is a draft, of which not even a uuid is public.
func (p *programme) duplicateIsHidden(t *testing.T) {
	t.Helper()
	copied, position := p.Change(t, http.MethodPost, p.path("duplicate"), `{"shift_days": 365}`)
	settle(p.System, t, "a duplicate", position)
	hidden := secrets{ids: []string{fmt.Sprint(copied["uuid"])}, known: []string{p.event, weeks[0] + "-2000"}}
	for _, date := range copied["dates"].([]any) {
		hidden.ids = append(hidden.ids, fmt.Sprint(date.(map[string]any)["uuid"]))
	}
	hidden.ids = hidden.ids[:3]
	mustHide(p.System, t, "a duplicate", hidden, sample{step: 8, offset: 2})
}

// moves: the event gets another title and another place; neither of the old ones finds it.
func (p *programme) moves(t *testing.T) {
	t.Helper()
	former := p.ways()
	p.title, p.venue, p.there = secondTitle, "Lindenscheune", p.inBarn
	p.changed(t, "header", fmt.Sprintf(`{"title": %q}`, secondTitle))
	p.changed(t, "place", fmt.Sprintf(`{"venue_uuid": %q, "space_uuid": null}`, p.barn))
	now := p.ways()
	for _, way := range now {
		p.foundBy(t, "moved", way, weeks)
	}
	for _, way := range former {
		same := func(other reference.Parameters) bool { return maps.Equal(other, way) }
		if !slices.ContainsFunc(now, same) {
			p.foundBy(t, "moved away", way, nil)
		}
	}
	if event := p.detail(t, "/api/event/"+p.event); event.Text("title") != p.title || event.Text("venue_name") != p.venue || event["space_uuid"] != nil {
		t.Errorf("moved: %q in %q, space %v", event["title"], event["venue_name"], event["space_uuid"])
	}
}

// losesADate: one date is cancelled, which changes no other one.
func (p *programme) losesADate(t *testing.T) {
	t.Helper()
	p.changed(t, "date/"+p.dates[4], `{"release_status": "cancelled"}`)
	others := slices.Delete(slices.Clone(weeks), 4, 5)
	p.foundBy(t, "with a cancelled date", reference.Parameters{"event_uuids": p.event}, weeks)
	p.foundBy(t, "with a cancelled date", reference.Parameters{"release_statuses": "cancelled"}, weeks[4:5])
	p.foundBy(t, "with a cancelled date", reference.Parameters{"release_statuses": "released"}, others)
	shown := p.detail(t, "/api/event/"+p.event+"/date/"+p.dates[4])
	if date, _ := shown["date"].(map[string]any); date["release_status"] != "cancelled" || shown["release_status"] != "released" {
		t.Errorf("the cancelled date is %v, its event %v", date["release_status"], shown["release_status"])
	}
}

// venueIsRenamed gives the venue of the event a thousand dates of another event and then another
// name, under which all are found. It returns the other event.
func (p *programme) venueIsRenamed(t *testing.T) (other string) {
	t.Helper()
	created := p.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "venue_uuid": %q, "title": "Dauerausstellung"}`, p.org, p.barn))
	other = fmt.Sprint(created["uuid"])
	p.Write(t, http.MethodPost, "/event/"+other+"/date", `{"start_date": "2037-01-01", "all_day": true, "rrule": "FREQ=DAILY;COUNT=1000"}`)
	_, position := p.Change(t, http.MethodPut, "/event/"+other+"/release-status", `{"release_status": "released"}`)
	settle(p.System, t, "the release of a thousand dates", position)
	former := p.venue
	p.wantDatesAt(t, former, 1000+len(weeks))
	_, position = p.Change(t, http.MethodPut, "/venue/"+p.barn, `{"name": "Mondscheinkate"}`)
	p.venue = "Mondscheinkate"
	settle(p.System, t, "the new name of a venue with a thousand dates", position)
	p.wantDatesAt(t, former, 0)
	p.wantDatesAt(t, p.venue, 1000+len(weeks))
	for _, way := range p.ways() {
		p.foundBy(t, "under the venue's new name", way, weeks)
	}
	p.foundBy(t, "under the venue's old name", reference.Parameters{"search": former}, nil)
	return other
}

func (p *programme) wantDatesAt(t *testing.T, venue string, want int) {
	t.Helper()
	summary, err := p.System.Client.Summary(t.Context(), reference.Parameters{"venue": venue})
	if err != nil {
		t.Fatal(err)
	}
	if *summary.Total != want {
		t.Errorf("%d dates are found at %q, want %d", *summary.Total, venue, want)
	}
}

// goesBackToDraft: nothing of the event is public any more, also what was kept for answers.
func (p *programme) goesBackToDraft(t *testing.T) {
	t.Helper()
	picture := p.ImagePaths(t, p.event)["main"]
	p.changed(t, "release-status", `{"release_status": "draft"}`)
	p.isHidden(t, "back to draft", everything)
	p.wantDatesAt(t, p.venue, 1000)
	for _, path := range []string{picture, picture + "?ratio=2:3&height=900", p.URL() + "/api/image/" + p.main} {
		if response := p.Image(t, path); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s of a draft: %s", path, response.Status)
		}
	}
}

// isDeleted: an event that is deleted while it is public leaves nothing, and ends its preview.
func (p *programme) isDeleted(t *testing.T) {
	t.Helper()
	p.changed(t, "release-status", `{"release_status": "released"}`)
	p.foundBy(t, "released again", reference.Parameters{"search": p.title}, weeks)
	preview, _ := p.previewLink(t, p.Editor)
	settle(p.System, t, "the deletion", p.deletes(t, p.event))
	p.isHidden(t, "deleted", sample{step: 8, offset: 5})
	if status, _ := p.preview(t, preview); status != http.StatusNotFound {
		t.Errorf("the preview of a deleted event: %d", status)
	}
	if answer, err := p.Ask(t.Context(), http.MethodGet, "/event/"+p.event, ""); err != nil || answer.Status != http.StatusNotFound {
		t.Errorf("the deleted event: %d, %v", answer.Status, err)
	}
}

// previewLink creates a preview link and returns the path of its JSON representation, and when it
// expires.
func (p *programme) previewLink(t *testing.T, by harness.Editor) (path string, expires time.Time) {
	t.Helper()
	link := by.Write(t, http.MethodPost, p.path("preview-link"), "")
	expires, err := time.Parse(time.RFC3339, fmt.Sprint(link["expires_at"]))
	path, own := strings.CutPrefix(fmt.Sprint(link["url"]), p.URL())
	if err != nil || !own {
		t.Fatalf("%v, %v", link, err)
	}
	return "/api" + path, expires
}

// preview asks for a link and returns the status and whether the answer shows the event.
func (p *programme) preview(t *testing.T, path string) (status int, shown bool) {
	t.Helper()
	answer, err := p.System.Client.Get(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Status, bytes.Contains(answer.Body, []byte(p.title))
}

// previewEnds: the draft is shown by its link until this is revoked, or expires.
func (p *programme) previewEnds(t *testing.T) {
	t.Helper()
	link, _ := p.previewLink(t, p.Editor)
	if status, shown := p.preview(t, link); status != http.StatusOK || !shown {
		t.Errorf("the preview of a draft: %d, shows it: %t", status, shown)
	}
	brief, expires := p.previewLink(t, p.Through(p.second))
	harness.Await(t, "the preview has expired", func() error {
		asked := time.Now()
		status, shown := p.preview(t, brief)
		switch answered := time.Now(); {
		case status == http.StatusNotFound && !shown && !answered.Before(expires):
			return nil
		case status == http.StatusOK && shown && asked.Before(expires):
			return errors.New("it is still valid")
		default:
			t.Fatalf("a preview that expires at %s: %d, shows the draft: %t, from %s to %s", expires, status, shown, asked, answered)
			return nil
		}
	})
	if status, shown := p.preview(t, link); status != http.StatusOK || !shown {
		t.Errorf("the other preview: %d, shows it: %t", status, shown)
	}
	p.Write(t, http.MethodDelete, p.path("preview-link"), "")
	if status, shown := p.preview(t, link); status != http.StatusNotFound || shown {
		t.Errorf("the preview that was revoked: %d, shows the draft: %t", status, shown)
	}
}
