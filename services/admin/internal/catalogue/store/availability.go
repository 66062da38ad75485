package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
)

// StoredAvailability is the availability of a date with its version, not that of the event.
type StoredAvailability struct {
	adminapi.AvailabilityOfDate
	Version int64
	Public  bool // the event has a public status
}

// The date is locked, and its event is not: box offices change the dates of one event side by side.
const selectAvailability = `
SELECT d.event_uuid::text, coalesce(d.availability::text, ''), d.remaining_places, d.availability_version,
    event_status_is_public(e.release_status)
FROM event_date d
JOIN event e ON e.uuid = d.event_uuid
WHERE d.uuid = $1`

const lockAvailability = selectAvailability + `
FOR NO KEY UPDATE OF d`

// ReadAvailability returns the availability of a date, with lock to change it. The fault is
// NotFound.
func ReadAvailability(ctx context.Context, tx pgx.Tx, date string, lock bool) (found StoredAvailability, err error) {
	query := selectAvailability
	if lock {
		query = lockAvailability
	}
	found.UUID = date
	var left *int
	err = tx.QueryRow(ctx, query, date).Scan(
		&found.EventUUID, &found.Availability, &left, &found.Version, &found.Public,
	)
	if errors.Is(err, pgx.ErrNoRows) {
		return found, fault.New(fault.NotFound, "date_not_found", "there is no such date")
	}
	if err != nil {
		return found, fmt.Errorf("read the availability of a date: %w", err)
	}
	found.AvailabilityVersion = value.Counted(int(found.Version))
	if left != nil {
		found.RemainingPlaces = value.Counted(*left)
	}
	return found, nil
}

const writeAvailability = `
UPDATE event_date
SET availability = nullif($2, ''), remaining_places = $3, availability_version = $4
WHERE uuid = $1`

// WriteAvailability writes the availability of a date that is locked.
func WriteAvailability(ctx context.Context, tx pgx.Tx, date string, is adminapi.DateAvailability) error {
	var left *int
	if number, given := is.RemainingPlaces.Number(); given {
		left = &number
	}
	version, _ := is.AvailabilityVersion.Number()
	if _, err := tx.Exec(ctx, writeAvailability, date, string(is.Availability), left, version); err != nil {
		return fmt.Errorf("write the availability of a date: %w", err)
	}
	return nil
}
