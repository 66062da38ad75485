package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/reference"
)

// CheckOrganizations checks that an organization is in the lists, has an answer of its own and is
// on the stream only while it is public.
func (s *System) CheckOrganizations(t *testing.T, c *reference.Catalogue) {
	want := s.Reference(c).Organizations()
	if len(want) == len(c.Organizations) {
		t.Fatal("every organization is public, so the test would show nothing")
	}
	choosable, err := s.ChoosableOrganizations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(choosable, want) {
		t.Errorf("/api/choosable-organizations lists %d, want %d: %s", len(choosable), len(want), firstDifference(choosable, want))
	}
	stream := s.Catalog(t)
	for _, o := range c.Organizations {
		public := slices.Contains(want, o.UUID)
		answer, err := s.Client.Get(t.Context(), "/api/organization/"+o.UUID)
		if err != nil {
			t.Fatal(err)
		}
		if status := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[public]; answer.Status != status {
			t.Errorf("/api/organization/%s answers %d, want %d", o.UUID, answer.Status, status)
		}
		listed, err := s.Listed(t.Context(), "/api/organizations?search="+url.QueryEscape(lastWord(o.Name)), "organizations")
		if err != nil {
			t.Fatal(err)
		}
		if found := slices.Contains(listed, o.UUID); found != public {
			t.Errorf("/api/organizations finds %q: %t, want %t", o.Name, found, public)
		}
		if held := stream.holds(t, "catalog.organization."+o.UUID); held != public {
			t.Errorf("the stream holds organization %s: %t, want %t", o.UUID, held, public)
		}
	}
}

// lastWord returns a part of a name that holds no letter on which folding could fail.
func lastWord(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }

// holds reports whether the stream holds a state of an entity, not only that it is gone.
func (c catalog) holds(t *testing.T, subject string) bool {
	t.Helper()
	raw, err := c.Stream.GetLastMsgForSubject(t.Context(), subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	var m Message
	if err := json.Unmarshal(raw.Data, &m); err != nil {
		t.Fatal(err)
	}
	return m.Snapshot != nil
}

// ChoosableOrganizations returns the uuids of the organizations that visitors can choose.
func (s *System) ChoosableOrganizations(ctx context.Context) ([]string, error) {
	answer, err := s.Client.Get(ctx, "/api/choosable-organizations")
	if err != nil {
		return nil, err
	}
	if answer.Status != http.StatusOK {
		return nil, fmt.Errorf("status %d: %.300s", answer.Status, answer.Body)
	}
	var items []client.Entry
	if err := json.Unmarshal(answer.Body, &items); err != nil {
		return nil, err
	}
	uuids := []string{}
	for _, item := range items {
		uuids = append(uuids, item.Text("id"))
	}
	slices.Sort(uuids)
	return uuids, nil
}
