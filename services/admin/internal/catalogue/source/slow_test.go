package source

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/auth/authtest"
)

// hanging is a server that answers nothing until the test ends, and says when it is asked.
func hanging(t *testing.T) (address string, asked <-chan string) {
	t.Helper()
	paths := make(chan string, 100)
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		paths <- r.URL.Path
		<-r.Context().Done()
	}))
	t.Cleanup(site.Close)
	return site.URL, paths
}

// TestDeletedSourcesAreNotReadOn: deleting a source ends its reading, which is no failure.
func TestDeletedSourcesAreNotReadOn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	slow, asked := hanging(t)
	body := h.body("/")
	body.Address = value.Text(slow + "/a.ics")
	id := h.create(body)
	c, some, err := h.service.claim(t.Context(), due)
	if err != nil || !some {
		t.Fatalf("%t, %v", some, err)
	}
	done := make(chan error, 1)
	go func() { done <- h.service.read(t.Context(), c, wish{}) }()
	<-asked
	if err := h.process(loopback).Delete(h.owner, h.org, id); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, _, err := h.service.Show(h.owner, h.org, id); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

// TestSlowPicturesCostOnlyTheirOwners: while the pictures of as many files as are imported at once
// do not come, the file of another organization is imported.
func TestSlowPicturesCostOnlyTheirOwners(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	slow, asked := hanging(t)
	third := authtest.Organization(t, h.db, "Theater")
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	add := func(org, path, picture string) (id string) {
		authtest.Member(t, h.db, org, h.person, permission.All)
		h.web.put(path, page{text: "Titel;Datum;Bild\nJazz;24.12.2027;" + picture + "\n"})
		body := h.body(path)
		body.Defaults.VenueUUID, body.Defaults.ReleaseStatus = "", rules.StatusDraft
		made, _, err := h.service.Create(h.owner, org, body, nil)
		if err != nil {
			t.Fatal(err)
		}
		return made.UUID
	}
	for i, org := range []string{h.foreign, third} {
		add(org, fmt.Sprintf("/%d.csv", i), slow+"/a.jpg")
		go func() { ended <- h.service.readAll(ctx) }()
		select {
		case <-asked:
		case err := <-ended:
			t.Fatalf("the picture is not asked for: %v", err)
		}
	}
	fourth := authtest.Organization(t, h.db, "Museum")
	id := add(fourth, "/b.csv", h.web.URL+"/missing.jpg")
	if err := h.service.readAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	shown, _, err := h.service.Show(h.owner, fourth, id)
	if err != nil || shown.Report == nil || shown.Report.Counts.Create != 1 {
		t.Errorf("%+v, %v", shown.Source, err)
	}
	select {
	case err := <-ended:
		t.Errorf("a picture that does not come is no longer waited for: %v", err)
	default:
	}
	end()
	for range 2 {
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}
