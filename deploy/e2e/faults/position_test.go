package faults

import (
	"context"
	"fmt"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

// TestPublicAnswersOfAPositionShowItsWrite: several organizers rename their organizations at once,
// each again and again; as soon as a public answer names a write's position, it shows that write.
// A write that changes nothing is reached, too, on a system in which nothing else happens.
func TestPublicAnswersOfAPositionShowItsWrite(t *testing.T) {
	const organizers, renames = 4, 10
	s := harness.Ready(t, harness.RunRaced(t, stack.Options{}))
	o := s.Organizer(t)
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
	s.ImportCatalogue(t, c)
	s.AwaitReady(t)
	group, ctx := errgroup.WithContext(t.Context())
	for n := range organizers {
		group.Go(func() error {
			for turn := range renames {
				name := fmt.Sprintf("name %d", turn/2) // every second write changes nothing
				position, err := o.Rename(ctx, uuid(1, n), name)
				if err != nil {
					return err
				}
				if err := reached(ctx, s, position, uuid(1, n), name); err != nil {
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
	position, err := o.Rename(t.Context(), uuid(1, 0), "while nothing is projected")
	if err == nil {
		err = s.Process(stack.Projector).Start(t.Context())
	}
	if err == nil {
		err = reached(t.Context(), s, position, uuid(1, 0), "while nothing is projected")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// reached asks for an organization until the answer names at least a position, which must then show
// the name.
func reached(ctx context.Context, s *harness.System, position uint64, org, name string) error {
	for deadline := time.Now().Add(harness.Patience); ; {
		answer, err := s.Client.Get(ctx, "/api/organization/"+org)
		if err != nil {
			return err
		}
		at := client.Position(answer.Header) // 0 while it is not known
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
