package source

import (
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/platform/quota"
	"litfass/services/admin/internal/platform/version"
)

// TestPrivateAddressesAreNotRead: by no name, neither by the schedule nor for a preview.
func TestPrivateAddressesAreNotRead(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	strict := h.process()
	h.web.put("/a.ics", page{text: calendar(jazz)})
	port := h.web.URL[strings.LastIndex(h.web.URL, ":"):]
	ids := map[string]string{}
	for _, address := range []string{
		h.web.URL + "/a.ics", "http://localhost" + port + "/a.ics", "http://2130706433" + port + "/a.ics", "webcal://127.1" + port + "/a.ics",
		"http://[::ffff:127.0.0.1]" + port + "/a.ics", "http://169.254.169.254/latest/meta-data", "http://10.0.0.1/a.ics",
	} {
		body := h.body("/")
		body.Address = value.Text(address)
		ids[address] = h.create(body)
		if _, err := strict.Preview(h.owner, h.org, body, nil); !fault.Is(err, fault.Invalid) {
			t.Errorf("a preview of %s: %v", address, err)
		}
		body.Format = adminapi.ImportLitfass
		ids["Litfass "+address] = h.create(body)
		if _, err := strict.Preview(h.owner, h.org, body, nil); !fault.Is(err, fault.Invalid) {
			t.Errorf("a preview of a Litfass at %s: %v", address, err)
		}
	}
	if err := strict.ReadDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	for address, id := range ids {
		if shown := h.show(id); shown.Failures != 1 || shown.Failure.Field != "address" {
			t.Errorf("%s: %+v", address, shown.Source)
		}
	}
	if got := append(h.web.statuses("/a.ics"), h.web.statuses("/a.ics/api/changes")...); len(got) > 0 {
		t.Errorf("the server was asked: %v", got)
	}
	for _, address := range []string{"ftp://example.org/a.ics", "https://anna:secret@example.org/a.ics", "file:///etc/passwd", "example.org"} {
		body := h.body("/")
		body.Address = value.Text(address)
		if _, _, err := h.service.Create(h.owner, h.org, body, nil); !fault.Is(err, fault.Invalid) || fault.Of(err).Violations[0].Field != "address" {
			t.Errorf("%s is stored: %v", address, err)
		}
	}
}

// TestSourcesAreFew: at most fifty of an organization, and one of each address; and members have a
// limited number of readings.
func TestSourcesAreFew(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var last string
	for i := range quota.Bounds[quota.Sources].InAll {
		last = h.create(h.body("/" + strings.Repeat("x", i+1)))
	}
	code := func(err error) string {
		t.Helper()
		if err == nil {
			return ""
		}
		return fault.Of(err).Code
	}
	if _, _, err := h.service.Create(h.owner, h.org, h.body("/new"), nil); code(err) != "too_many_sources" {
		t.Errorf("one more: %v", err)
	}
	if _, _, err := h.service.Create(h.owner, h.org, h.body("/x"), nil); code(err) != "source_known" {
		t.Errorf("a known address: %v", err)
	}
	_, _, err := h.service.Update(h.owner, h.org, last, version.Expected{}, func(b *adminapi.SourceBody) error { b.Address = h.body("/x").Address; return nil })
	if code(err) != "source_known" {
		t.Errorf("another one's address: %v", err)
	}
	for range asking.Max {
		if _, err := h.service.Read(h.owner, h.org, last, adminapi.SourceReading{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.service.Read(h.owner, h.org, last, adminapi.SourceReading{}); !fault.Is(err, fault.TooMany) {
		t.Errorf("one more reading: %v", err)
	}
}

// TestListsLeadToTheirPages: of the same server, one after the other; a page that fails lets the
// reading fail, and one that is gone is an event that has vanished.
func TestListsLeadToTheirPages(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	elsewhere := newWeb(t)
	detail := func(title, day string) page {
		return page{text: htmlPage(h, map[string]any{"@type": "Event", "@id": "#event", "name": title, "startDate": day + "T20:00"})}
	}
	h.web.put("/a", detail("Jazz", "2027-03-05"))
	h.web.put("/b", detail("Chor", "2027-03-06"))
	h.web.put("/c", detail("Tanz", "2027-03-07"))
	elsewhere.put("/d", detail("Film", "2027-03-08"))
	links := []any{
		map[string]any{"@type": "ListItem", "url": "/a"}, map[string]any{"@type": "ListItem", "item": h.web.URL + "/b#top"}, "/c", "/b",
		map[string]any{"@type": "ListItem", "item": map[string]any{"@type": "Event", "url": elsewhere.URL + "/d"}},
		map[string]any{"@type": "ListItem", "url": "http://169.254.169.254/latest"}, "file:///etc/passwd",
	}
	h.web.put("/list", page{text: htmlPage(h, map[string]any{"@type": "ItemList", "itemListElement": links}), etag: `"1"`})
	body := h.body("/list")
	body.Missing = adminapi.MissingCancel
	id := h.create(body)
	h.due()
	h.wantCounts("first", id, adminapi.ImportCounts{Rows: 3, Create: 3})
	h.wantStored("first", "Chor released 03-06T20:00", "Jazz released 03-05T20:00", "Tanz released 03-07T20:00")
	if got := elsewhere.statuses("/d"); len(got) > 0 {
		t.Errorf("another server was asked: %v", got)
	}
	h.web.put("/b", detail("Chöre", "2027-03-06"))
	h.after(time.Hour)
	h.wantCounts("a page has changed", id, adminapi.ImportCounts{Rows: 3, Update: 1, Unchanged: 2})
	h.web.put("/c", page{status: 503})
	h.after(time.Hour)
	if shown := h.show(id); shown.Failures != 1 {
		t.Errorf("a page fails: %+v", shown.Source)
	}
	h.web.put("/c", page{status: 410})
	h.after(time.Hour)
	h.wantStored("a page is gone", "Chöre released 03-06T20:00", "Jazz released 03-05T20:00", "Tanz cancelled 03-07T20:00")
}
