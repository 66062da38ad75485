package eventimport

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
)

// earlier are the choices that an organization made for the last file with the same columns.
type earlier struct {
	Mapping   map[string]string // nil if there was no such file
	DateOrder string
	Venues    []adminapi.ImportPlace // none to be created
	Kinds     []adminapi.ImportKind
}

// headerOf identifies tables with the same columns, and all calendars and pages.
func headerOf(format string, columns []string) []byte {
	if format != eventfile.FormatCSV {
		columns = nil
	}
	sum := sha256.Sum256([]byte(format + "\x00" + strings.Join(columns, "\x00")))
	return sum[:]
}

func (r *run) header() []byte {
	var columns []string
	for _, c := range r.file.Columns {
		columns = append(columns, c.Name)
	}
	return headerOf(r.file.Format, columns)
}

const selectChoice = `
SELECT mapping, date_order, venues, kinds
FROM import_choice
WHERE org_uuid = $1 AND header = $2`

// readEarlier returns the choices for files with a header. A field that there is no more is left
// out.
func (r *run) readEarlier(ctx context.Context, header []byte) (found earlier, err error) {
	err = r.DB.QueryRow(ctx, selectChoice, r.org, header).
		Scan(&found.Mapping, &found.DateOrder, &found.Venues, &found.Kinds)
	if errors.Is(err, pgx.ErrNoRows) {
		return earlier{}, nil
	}
	if err != nil {
		return earlier{}, fmt.Errorf("read choices of an import: %w", err)
	}
	for column, field := range found.Mapping {
		if field != "" && !eventfile.IsField(field) {
			delete(found.Mapping, column)
		}
	}
	return found, nil
}

const upsertChoice = `
INSERT INTO import_choice (org_uuid, header, mapping, date_order, venues, kinds, chosen_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (org_uuid, header) DO UPDATE
SET mapping = excluded.mapping, date_order = excluded.date_order, venues = excluded.venues,
    kinds = excluded.kinds, chosen_at = excluded.chosen_at`

// maxKept is how many headers of an organization have choices; the oldest go.
const maxKept = 100

const deleteOldChoices = `
DELETE FROM import_choice
WHERE org_uuid = $1
    AND header NOT IN (
        SELECT header
        FROM import_choice
        WHERE org_uuid = $1
        ORDER BY chosen_at DESC
        LIMIT $2
    )`

// keep stores the choices of an import for the next file with the same columns.
func (r *run) keep(ctx context.Context) error {
	kept := earlier{
		Mapping: r.request.options.Mapping, DateOrder: r.file.DateOrder,
		Venues: []adminapi.ImportPlace{}, Kinds: []adminapi.ImportKind{},
	}
	if kept.Mapping == nil {
		kept.Mapping = r.earlier.Mapping
	}
	for _, named := range r.listedPlaces() {
		if named.VenueUUID != "" && (!named.Create || r.added[string(named.VenueUUID)]) {
			kept.Venues = append(kept.Venues, adminapi.ImportPlace{
				Name: named.Name, PostalCode: named.PostalCode, City: named.City, VenueUUID: named.VenueUUID,
			})
		}
	}
	for _, named := range r.listedKinds() {
		if named.TypeID != 0 {
			kept.Kinds = append(kept.Kinds, named.ImportKind)
		}
	}
	if r.earlier.Mapping == nil && len(kept.Mapping)+len(kept.Venues)+len(kept.Kinds) == 0 && kept.DateOrder == "" {
		return nil
	}
	if kept.Mapping == nil {
		kept.Mapping = map[string]string{}
	}
	return r.DB.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.Permissions(ctx, tx, auth.PrincipalOf(ctx), r.org); err != nil { // deleted meanwhile
			return err
		}
		return kept.write(ctx, tx, r.org, r.header(), r.Now())
	})
}

func (e earlier) write(ctx context.Context, tx pgx.Tx, org string, header []byte, now time.Time) error {
	_, err := tx.Exec(ctx, upsertChoice, org, header, e.Mapping, e.DateOrder, e.Venues, e.Kinds, now)
	if err == nil {
		_, err = tx.Exec(ctx, deleteOldChoices, org, maxKept)
	}
	if err != nil {
		return fmt.Errorf("store choices of an import: %w", err)
	}
	return nil
}

// readPlaces reads the venues of the file, with the choices of the request, else of the last such
// file: of these, a venue that may no longer be used does not count.
func (r *run) readPlaces(ctx context.Context, tx pgx.Tx) error {
	p := &places{
		org: r.org, choices: map[placeKey]adminapi.ImportPlace{}, byKey: map[placeKey]*unknownPlace{}, made: map[string]*rules.Venue{},
	}
	chosen, uuids := r.request.places, map[string]string{}
	if chosen == nil {
		chosen = r.earlier.Venues
	}
	for i, choice := range chosen {
		p.choices[keyOf(choice.Name, string(choice.PostalCode), string(choice.City))] = choice
		if choice.VenueUUID != "" {
			uuids[string(choice.VenueUUID)] = ""
			if r.request.places != nil {
				uuids[string(choice.VenueUUID)] = fmt.Sprintf("venues[%d].venue_uuid", i)
			}
		}
	}
	if uuid := string(r.request.defaults.VenueUUID); uuid != "" {
		uuids[uuid] = "defaults.venue_uuid"
	}
	var err error
	names, towns := r.named()
	if p.venues, err = readVenues(ctx, tx, r.org, names, towns, uuids); err != nil {
		return err
	}
	r.places, r.added = p, map[string]bool{}
	if err := tx.QueryRow(ctx, selectCountry, r.org).Scan((*string)(&p.country)); err != nil {
		return fmt.Errorf("read organization: %w", err)
	}
	return nil
}

// chosenKinds are the choices of the request, else of the last such file.
func (r *run) chosenKinds() []adminapi.ImportKind {
	if r.request.kinds == nil {
		return r.earlier.Kinds
	}
	return r.request.kinds
}

// listedPlaces and listedKinds are those of the report, the venues of most events first.
func (r *run) listedPlaces() []*unknownPlace {
	slices.SortStableFunc(r.places.unknown, func(a, b *unknownPlace) int { return b.Events - a.Events })
	return r.places.unknown[:min(len(r.places.unknown), adminapi.MaxImportChoices)]
}

func (r *run) listedKinds() []*adminapi.ImportType {
	return r.kinds.unknown[:min(len(r.kinds.unknown), adminapi.MaxImportChoices)]
}

// finish keeps the choices of an import, and has a dry run propose some.
func (r *run) finish(ctx context.Context) error {
	if r.request.dryRun {
		return r.propose(ctx)
	}
	if r.request.reading != nil { // its choices are its own
		return nil
	}
	return r.keep(ctx)
}
