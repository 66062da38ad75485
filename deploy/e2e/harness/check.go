package harness

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
)

// Checker compares answers with the reference.
type Checker struct {
	Client *client.Client
	Ref    *reference.Reference
	byDate map[string]*reference.Dated // every public date by uuid
	shown  map[string]map[string]any   // its expected entry, by uuid and key
}

// NewChecker returns a checker of the answers that a client gets.
func NewChecker(c *client.Client, r *reference.Reference) *Checker {
	k := &Checker{Client: c, Ref: r, byDate: map[string]*reference.Dated{}, shown: map[string]map[string]any{}}
	for _, d := range r.Dates() {
		k.byDate[d.Date.UUID] = d
		k.shown[d.Date.UUID] = reference.SortedFields(r.Entry(d))
	}
	return k
}

// Check sends one query in every form and returns the differences to the reference: in the page,
// its entries, the summary, and the result of paging through the whole answer. It repeats the query
// when midnight passes meanwhile.
func (k *Checker) Check(ctx context.Context, q generate.Query) error {
	for {
		day := Today()
		err := k.checkOn(ctx, q, day)
		if day == Today() {
			return err
		}
	}
}

func (k *Checker) checkOn(ctx context.Context, q generate.Query, day string) error {
	want := k.Ref.Events(q.Parameters, day)
	page, err := k.Client.Search(ctx, q)
	if err != nil {
		return err
	}
	if err := k.checkEntries(page.Events, q.Parameters); err != nil {
		return err
	}
	if err := checkLast(page); err != nil {
		return err
	}
	if err := checkTotal(page, q.Parameters, len(want.Found)); err != nil {
		return err
	}
	if ordered(q.Parameters) {
		if err := sameOrder("page", page.Events, want.Page); err != nil {
			return err
		}
	} else if err := k.checkRelevance(ctx, q, page, want); err != nil {
		return err
	}
	return k.checkSummary(ctx, q.Parameters, want.Summary())
}

// ordered reports whether the answer is in start order or in that of a list rather than by
// relevance.
func ordered(p reference.Parameters) bool {
	return p["search"] == "" || p["sort"] == "start" || p["list"] != ""
}

// sameOrder compares entries with the expected dates one by one.
func sameOrder(what string, got []client.Entry, want []*reference.Dated) error {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Errorf("%s has %d entries, want %d: the first missing is %s", what, len(got), len(want), describe(want[i]))
		case i >= len(want):
			return fmt.Errorf("%s has %d entries, want %d: the first surplus is %s", what, len(got), len(want), shown(got[i]))
		case got[i].Text("date_uuid") != want[i].Date.UUID:
			return fmt.Errorf("%s, entry %d is %s, want %s", what, i+1, shown(got[i]), describe(want[i]))
		}
	}
	return nil
}

func shown(e client.Entry) string {
	return fmt.Sprintf("%s %sT%s %.50q at %.30q in %q",
		e["date_uuid"], e["start_date"], e["start_time"], e["title"], e["venue_name"], e["venue_city"])
}

// checkEntries compares every entry's fields with the reference, and its rank.
func (k *Checker) checkEntries(entries []client.Entry, p reference.Parameters) error {
	offset, _ := strconv.Atoi(p["offset"])
	for i, got := range entries {
		if rank := got["search_rank"]; rank != float64(offset+i+1) {
			return fmt.Errorf("entry %d has search_rank %v, want %d", i+1, rank, offset+i+1)
		}
		date := k.byDate[got.Text("date_uuid")]
		if date == nil {
			return fmt.Errorf("entry %d is of no public date: %s", i+1, shown(got))
		}
		if err := reference.SameFields(got, k.shownIn(date, p["lang"])); err != nil {
			return fmt.Errorf("entry of %s: %w", describe(date), err)
		}
		if slug := got.Text("date_slug"); !isSlug(slug, date) {
			return fmt.Errorf("entry of %s has date_slug %q", describe(date), slug)
		}
	}
	return nil
}

// shownIn returns the expected entry of a date in a language, "" for the original.
func (k *Checker) shownIn(date *reference.Dated, lang string) map[string]any {
	language, _, _ := strings.Cut(strings.ToLower(lang), "-")
	if _, translated := date.Event.Texts[language]; !translated {
		return k.shown[date.Date.UUID]
	}
	return reference.SortedFields(k.Ref.Entry(date).In(language))
}

// isSlug accepts the plain slug, and a numbered one for an event with several dates at the same
// time.
func isSlug(slug string, date *reference.Dated) bool {
	rest, found := strings.CutPrefix(slug, date.Slug())
	if !found || rest == "" {
		return found
	}
	same := 0
	for _, other := range date.Event.Dates {
		if other.StartDate == date.Date.StartDate && other.AllDay == date.Date.AllDay && other.StartTime == date.Date.StartTime {
			same++
		}
	}
	number, err := strconv.Atoi(strings.TrimPrefix(rest, "-"))
	return err == nil && rest[0] == '-' && same >= 2 && number >= 2
}

// checkLast: the cursor of the answer names its last entry.
func checkLast(page client.Page) error {
	if len(page.Events) == 0 {
		return nil
	}
	last := page.Events[len(page.Events)-1]
	at := last.Text("start_date") + "T" + last.Text("start_time")
	if page.LastEventDateUUID == nil || *page.LastEventDateUUID != last.Text("date_uuid") {
		return fmt.Errorf("last_event_date_uuid is not that of the last entry, %s", shown(last))
	}
	if page.LastEventStartAt == nil || *page.LastEventStartAt != at {
		return fmt.Errorf("last_event_start_at is not %q", at)
	}
	return nil
}

// checkTotal: the number of dates on all pages is there if it was asked for.
func checkTotal(page client.Page, p reference.Parameters, want int) error {
	switch asked := p["total"] == "true"; {
	case asked != (page.Total != nil):
		return fmt.Errorf("total_event_count is there: %t", !asked)
	case asked && *page.Total != want:
		return fmt.Errorf("total_event_count is %d, want %d", *page.Total, want)
	}
	return nil
}

// checkRelevance: the engine chooses the order by relevance, but neither the number of entries nor
// their set.
func (k *Checker) checkRelevance(ctx context.Context, q generate.Query, page client.Page, want reference.Answer) error {
	if len(page.Events) != len(want.Page) {
		return fmt.Errorf("page has %d entries, want %d of %d", len(page.Events), len(want.Page), len(want.Found))
	}
	all, err := k.Everything(ctx, q)
	if err != nil {
		return err
	}
	return SameSet(all, want.Found)
}

// Everything pages through a whole answer.
func (k *Checker) Everything(ctx context.Context, q generate.Query) ([]client.Entry, error) {
	const limit = 200
	var all []client.Entry
	for {
		whole := q
		whole.Parameters = maps.Clone(q.Parameters)
		whole.Parameters["offset"], whole.Parameters["limit"] = strconv.Itoa(len(all)), strconv.Itoa(limit)
		part, err := k.Client.Search(ctx, whole)
		if err != nil {
			return nil, err
		}
		all = append(all, part.Events...)
		if len(part.Events) < limit {
			return all, nil
		}
	}
}

// SameSet compares results regardless of order.
func SameSet(got []client.Entry, want []*reference.Dated) error {
	surplus := map[string]client.Entry{}
	for _, entry := range got {
		if _, twice := surplus[entry.Text("date_uuid")]; twice {
			return fmt.Errorf("found twice: %s", shown(entry))
		}
		surplus[entry.Text("date_uuid")] = entry
	}
	var differences []error
	for _, d := range want {
		if _, found := surplus[d.Date.UUID]; !found {
			differences = append(differences, fmt.Errorf("missing %s", describe(d)))
		}
		delete(surplus, d.Date.UUID)
	}
	for _, entry := range surplus {
		differences = append(differences, fmt.Errorf("surplus %s", shown(entry)))
	}
	return errors.Join(differences[:min(5, len(differences))]...)
}

// checkSummary compares totals and facet counts. Filters too long for a URL cannot be asked.
func (k *Checker) checkSummary(ctx context.Context, p reference.Parameters, want reference.Summary) error {
	filters := maps.Clone(p)
	for _, name := range []string{"last_event_start_at", "last_event_date_uuid", "offset", "limit", "sort", "total"} {
		delete(filters, name)
	}
	if len(client.Encode(filters, false)) > 6000 {
		return nil
	}
	got, err := k.Client.Summary(ctx, filters)
	if err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	if *got.Total != want.Total {
		return fmt.Errorf("total_event_count is %d, want %d", *got.Total, want.Total)
	}
	if !slices.Equal(got.Types, want.Types) {
		return fmt.Errorf("type_summary is\n  %v, want\n  %v", got.Types, want.Types)
	}
	if !slices.Equal(got.Genres, want.Genres) {
		return fmt.Errorf("genre_summary is\n  %v, want\n  %v", got.Genres, want.Genres)
	}
	return nil
}

// Walk follows the cursor through a whole answer; it must show every date once: in start order, or
// in the order of relevance in which a walk by offset shows them.
func (k *Checker) Walk(ctx context.Context, q generate.Query, limit int) error {
	step := q
	step.Parameters = maps.Clone(q.Parameters)
	for _, name := range []string{"last_event_start_at", "last_event_date_uuid", "offset"} {
		delete(step.Parameters, name)
	}
	step.Parameters["limit"] = strconv.Itoa(limit)
	want := k.Ref.Events(step.Parameters, Today()).Found
	byOffset := step
	byOffset.Parameters = maps.Clone(step.Parameters)
	var all []client.Entry
	for len(all) <= len(want) {
		page, err := k.Client.Search(ctx, step)
		if err != nil {
			return fmt.Errorf("walk after %d entries: %w", len(all), err)
		}
		all = append(all, page.Events...)
		if len(page.Events) < limit {
			break
		}
		step.Parameters["last_event_start_at"] = *page.LastEventStartAt
		step.Parameters["last_event_date_uuid"] = *page.LastEventDateUUID
	}
	if ordered(step.Parameters) {
		return sameOrder("walk", all, want)
	}
	paged, err := k.Everything(ctx, byOffset)
	if err != nil {
		return err
	}
	if err := SameSet(all, want); err != nil {
		return err
	}
	return sameEntries(all, paged)
}

// sameEntries compares two walks, date by date.
func sameEntries(byCursor, byOffset []client.Entry) error {
	if len(byCursor) != len(byOffset) {
		return fmt.Errorf("by cursor there are %d entries, by offset %d", len(byCursor), len(byOffset))
	}
	for i, entry := range byCursor {
		if entry.Text("date_uuid") != byOffset[i].Text("date_uuid") {
			return fmt.Errorf("entry %d by cursor is %s, by offset %s", i+1, shown(entry), shown(byOffset[i]))
		}
	}
	return nil
}
