package webhook

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/project"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/draft"
	"litfass/services/admin/internal/publish/outbox"
)

const draftBatch = 200 // edits of drafts of one transaction

// draftLock lets one transaction at a time announce drafts: "drafts".
const draftLock int64 = 0x647261667473

const tryAnnouncing = `
SELECT pg_try_advisory_xact_lock($1)`

// announceDrafts stores the deliveries that edits of drafts give rise to, and returns the webhooks
// that got some: none while another process does. full means that there may be more edits.
func (s *Service) announceDrafts(ctx context.Context) (webhooks []string, full bool, err error) {
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		webhooks, full = nil, false // the transaction may run again
		var first bool
		if err := tx.QueryRow(ctx, tryAnnouncing, draftLock).Scan(&first); err != nil {
			return fmt.Errorf("lock announcing drafts: %w", err)
		}
		if !first {
			return nil
		}
		edits, err := draft.Take(ctx, tx, draftBatch)
		if err != nil || len(edits) == 0 {
			return err
		}
		full = len(edits) == draftBatch
		targets, err := postgres.List[target](ctx, tx, "webhooks", selectTargets)
		if err != nil {
			return err
		}
		for _, edit := range newest(edits) {
			hooks, err := s.announceDraft(ctx, tx, edit, targets)
			if err != nil {
				return err
			}
			webhooks = append(webhooks, hooks...)
		}
		slices.Sort(webhooks)
		webhooks = slices.Compact(webhooks)
		return nil
	})
	return webhooks, full, err
}

// announceDraft stores the deliveries of one edit, so that one body at a time is in memory.
func (s *Service) announceDraft(ctx context.Context, tx pgx.Tx, edit draft.Kept, targets []target) ([]string, error) {
	name, data, err := s.draftOf(ctx, tx, edit)
	if err != nil || name == "" {
		return nil, err
	}
	text, err := body(name, s.Now(), data)
	if err != nil {
		return nil, err
	}
	var deliveries []newDelivery
	for _, hook := range targets {
		if hook.Org == edit.Org && slices.Contains(hook.Types, name) {
			id := idOfDraft(hook.UUID, edit)
			deliveries = append(deliveries, newDelivery{id, hook.UUID.String(), name, edit.Event, text})
		}
	}
	return s.storeDeliveries(ctx, tx, deliveries)
}

func idOfDraft(webhook uuid.UUID, edit draft.Kept) string {
	return idOf(webhook, "draft/"+strconv.FormatInt(edit.Number, 10), edit.Event, 0)
}

// newest returns the newest edit of each event in each organization, in order.
func newest(edits []draft.Kept) []draft.Kept {
	slices.SortFunc(edits, func(a, b draft.Kept) int { return int(a.Number - b.Number) })
	var kept []draft.Kept
	for i, edit := range edits {
		again := func(later draft.Kept) bool { return later.Event == edit.Event && later.Org == edit.Org }
		if !slices.ContainsFunc(edits[i+1:], again) {
			kept = append(kept, edit)
		}
	}
	return kept
}

// draftOf returns the notification of an edit, from the present state of its event: none, "", for
// an event that is public or was deleted while it was, of which the stream notifies.
func (s *Service) draftOf(ctx context.Context, tx pgx.Tx, edit draft.Kept) (name string, data any, err error) {
	public, err := outbox.Snapshots(ctx, tx, change.KindEvent, []string{edit.Event})
	if err != nil || public[edit.Event] != nil {
		return "", nil, err
	}
	snapshot, err := outbox.Preview(ctx, tx, edit.Event)
	switch {
	case err != nil:
		return "", nil, err
	case snapshot == nil || snapshot.Organization.UUID != edit.Org:
		if edit.WasPublic {
			return "", nil, nil
		}
		return draft.Deleted, withdrawn{edit.Event}, nil
	}
	c, err := change.New(change.KindEvent, edit.Event, 1, snapshot)
	if err != nil {
		return "", nil, err
	}
	entry, err := entryOf(project.New(s.PublicURL, s.Zone), c)
	if err != nil {
		return "", nil, fmt.Errorf("show draft %s: %w", edit.Event, err)
	}
	return draft.Saved, entry, nil
}
