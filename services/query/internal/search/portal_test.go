package search

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/portals"
)

// onePortal is a source of a portal named p, whose filter a test edits.
type onePortal struct {
	filter   string
	revision int64
}

func (p *onePortal) read(context.Context, ...string) ([]document.Portal, error) {
	d := document.Portal{Selects: document.Encoded[document.PortalSelects]{
		Value: document.PortalSelects{Filter: json.RawMessage(p.filter)},
	}}
	d.Revision = p.revision
	d.View = &document.Encoded[publicapi.Portal]{Value: publicapi.Portal{Slug: "p"}}
	return []document.Portal{d}, nil
}

// withPortal gives the fixture a portal.
func (f *fixture) withPortal(filter string) *onePortal {
	source := &onePortal{filter: filter}
	f.portals = portals.NewStore(source.read, f.signal, time.Now, slog.New(slog.DiscardHandler))
	return source
}

// edit signals an edit of the portal.
func (f *fixture) edit(to *onePortal, filter string) {
	if to.filter != filter {
		to.filter, to.revision = filter, to.revision+1
	}
	f.batch++
	f.signal.Hear(applied.Signal{
		Session: "s", Batches: f.batch, Sequence: f.batch, Batch: &applied.Batch{Records: map[string][]string{document.Portals: {"x"}}},
	})
}

// TestAnswersInAPortalFollowItsEdits: also that of a query string which is known.
func TestAnswersInAPortalFollowItsEdits(t *testing.T) {
	f := newFixture(t)
	portal := f.withPortal(`{"city":"Kiel"}`)
	const raw = "portal=p&tags=x"
	from := QueryString{Raw: raw, Today: today}
	for _, step := range []struct {
		filter string // that the portal gets; "": stays as it is
		want   string // in the filter of the dates
		known  bool   // before it is asked
	}{
		{"", "kiel", false},
		{"", "kiel", true},
		{`{"city":"Husum"}`, "husum", false},
		{"", "husum", true},
		{`{"city":"Kiel"}`, "kiel", false},
		{`{"city":"Kiel"}`, "kiel", true}, // a batch that changed nothing of it
	} {
		if step.filter != "" {
			f.edit(portal, step.filter)
		}
		if known := f.known(t, from); known != step.known {
			t.Errorf("%+v: known is %t", step, known)
		}
		f.ask(t, raw)
		q, err := params.Events.FromURL(raw, today)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.compile(t.Context(), q); err != nil || !strings.Contains(got.filter, step.want) || !strings.Contains(got.filter, "tag_keys") {
			t.Errorf("%+v: %s, %v", step, got.filter, err)
		}
	}
}

// TestAnswersInAPortalFollowPlaces: a portal with a region depends on the venues there.
func TestAnswersInAPortalFollowPlaces(t *testing.T) {
	f := newFixture(t)
	f.withPortal(`{"geolist_region":"deu,sh,fl"}`)
	from := QueryString{Raw: "portal=p", Today: today}
	f.ask(t, from.Raw)
	if !f.known(t, from) {
		t.Error("the answer is not known")
	}
	f.venues.version += "1"
	f.batch++
	f.signal.Hear(applied.Signal{
		Session: "s", Batches: f.batch, Sequence: f.batch, Batch: &applied.Batch{Records: map[string][]string{document.Venues: {"x"}}},
	})
	if f.known(t, from) {
		t.Error("the answer is known after venues changed")
	}
}

// TestAnUnknownPortalIsRefused, and one whose filter the search does not take finds nothing.
func TestAnUnknownPortalIsRefused(t *testing.T) {
	f := newFixture(t)
	f.withPortal(`{"city":5}`)
	if _, err := f.compile(t.Context(), params.Query{Portal: "other"}); !fault.Is(err, fault.Invalid) || fault.Of(err).Violations[0].Field != "portal" {
		t.Errorf("%v", err)
	}
	if got, err := f.compile(t.Context(), params.Query{Portal: "p"}); err != nil || !strings.Contains(got.filter, "00000000-0000") {
		t.Errorf("%s, %v", got.filter, err)
	}
}
