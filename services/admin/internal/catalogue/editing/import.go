package editing

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
)

// Writer writes events, venues and contributors within one transaction, for callers that store
// further rows in it.
type Writer struct {
	Tx pgx.Tx

	editor *Editor
}

// Within runs fn in a transaction and commits it. fn may run again, see postgres.DB.InTx; any error
// that it returns rolls back.
func (e *Editor) Within(ctx context.Context, fn func(Writer) error) error {
	return e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error { return fn(Writer{tx, e}) })
}

// CreateVenue is Editor.CreateVenue in the transaction, for a venue that has its uuid.
func (w Writer) CreateVenue(ctx context.Context, venue *rules.Venue) error {
	_, err := createIn(ctx, w.Tx, w.editor, venues, venue, nil)
	return err
}

// CreateContributor is Editor.CreateContributor in the transaction, for one that has its uuid.
func (w Writer) CreateContributor(ctx context.Context, contributor *rules.Contributor) error {
	_, err := createIn(ctx, w.Tx, w.editor, contributors, contributor, nil)
	return err
}

// CreateEvent is Editor.CreateEvent in the transaction. When fn runs again it must pass a new
// event. complete sets values that name dates, once these have their uuids.
func (w Writer) CreateEvent(
	ctx context.Context, event *rules.Event, complete func(*rules.Event),
) (created Versioned[*rules.Event], err error) {
	refused := w.editor.begin(event)
	if refused == nil {
		complete(event)
	}
	return createIn(ctx, w.Tx, w.editor, events, event, refused)
}

// UpdateEvent is Editor.UpdateEvent in the transaction.
func (w Writer) UpdateEvent(
	ctx context.Context, at Target, edit func(*rules.Event) error,
) (Versioned[*rules.Event], error) {
	return updateIn(ctx, w.Tx, w.editor, events, at, edit)
}
