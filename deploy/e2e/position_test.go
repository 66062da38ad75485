package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

const positionHeader = "Litfass-Position"

// TestPublicAnswersOfAPositionShowItsWrite: several organizers rename their organizations at once,
// each again and again; as soon as a public answer names a write's position, it shows that write.
// A write that changes nothing is reached, too, on a system in which nothing else happens.
func TestPublicAnswersOfAPositionShowItsWrite(t *testing.T) {
	const organizers, renames = 4, 10
	s := start(t)
	o := s.organizer(t)
	uuid := func(kind, n int) string { return fmt.Sprintf("0197a1b2-c3d4-7e5f-8a6b-%06x%06x", kind, n) }
	c := &reference.Catalogue{}
	for n := range organizers {
		c.Organizations = append(c.Organizations, &reference.Organization{UUID: uuid(1, n), Name: "first name"})
		c.Venues = append(c.Venues, &reference.Venue{UUID: uuid(2, n), OrgUUID: uuid(1, n), Name: "Haus"})
		c.Events = append(c.Events, &reference.Event{
			UUID: uuid(3, n), OrgUUID: uuid(1, n), VenueUUID: reference.Text(uuid(2, n)), Title: "Fest", PriceType: "free",
			ReleaseStatus: "released",
			Dates:         []*reference.Date{{UUID: uuid(4, n), StartDate: "2027-05-01", StartTime: "19:30", ReleaseStatus: "inherited"}},
		})
	}
	s.importCatalogue(t, c)
	s.awaitReady(t)
	group, ctx := errgroup.WithContext(t.Context())
	for n := range organizers {
		group.Go(func() error {
			for turn := range renames {
				name := fmt.Sprintf("name %d", turn/2) // every second write changes nothing
				position, err := o.rename(ctx, uuid(1, n), name)
				if err != nil {
					return err
				}
				if err := s.reached(ctx, position, uuid(1, n), name); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := s.Process(stack.Projector).Kill(); err != nil {
		t.Fatal(err)
	}
	position, err := o.rename(t.Context(), uuid(1, 0), "while nothing is projected")
	if err == nil {
		err = s.Process(stack.Projector).Start(t.Context())
	}
	if err == nil {
		err = s.reached(t.Context(), position, uuid(1, 0), "while nothing is projected")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// reached asks for an organization until the answer names at least a position, which must then show
// the name.
func (s *system) reached(ctx context.Context, position uint64, org, name string) error {
	for deadline := time.Now().Add(patience); ; {
		answer, err := s.client.Get(ctx, "/api/organization/"+org)
		if err != nil {
			return err
		}
		at, _ := strconv.ParseUint(answer.Header.Get(positionHeader), 10, 64) // 0 while it is not known
		if at < position {
			if time.Now().After(deadline) {
				return fmt.Errorf("position %d, and not yet %d", at, position)
			}
			continue
		}
		shown, err := client.Data[client.Entry](answer, "get-organization")
		if err == nil && shown.Text("name") != name {
			err = fmt.Errorf("an answer of position %d shows %q, and position %d wrote %q", at, shown.Text("name"), position, name)
		}
		return err
	}
}

// organizer is a platform administrator who is logged in.
type organizer struct {
	base, token string
}

func (s *system) organizer(t *testing.T) organizer {
	t.Helper()
	return organizer{base: s.URL(), token: s.account(t, "organizer@example.org", "correct horse battery", "--admin")}
}

// rename returns the position of the write.
func (o organizer) rename(ctx context.Context, org, name string) (uint64, error) {
	var answer map[string]any
	header, err := o.send(ctx, http.MethodPut, "/api/admin/organization/"+org, map[string]string{"name": name}, &answer)
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(header.Get(positionHeader), 10, 64)
}

// send sends a JSON body and decodes the answer, which must be a success.
func (o organizer) send(ctx context.Context, method, path string, body, into any) (http.Header, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, o.base+path, bytes.NewReader(encoded))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if o.token != "" {
		request.Header.Set("Authorization", "Bearer "+o.token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s %.300s", method, path, response.Status, content)
	}
	if err != nil {
		return nil, err
	}
	return response.Header, json.Unmarshal(content, into)
}
