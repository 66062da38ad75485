package preview

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/publish/outbox"
)

// Event is an event as the public detail shows it, with the names of its types in one language.
type Event struct {
	publicapi.Event
	EventTypes []Type `json:"event_types"` // stands for the one of Event
}

// Type is an event's type and genre with their names; genre 0, no genre, has none.
type Type struct {
	TypeID    int    `json:"type_id"`
	TypeName  string `json:"type_name"`
	GenreID   int    `json:"genre_id"`
	GenreName string `json:"genre_name"`
}

const selectLinked = `
SELECT e.uuid::text` + fromValid + `
    AND l.hash = $1 AND e.taken_back_at IS NULL`

// Show returns the event of a link as it is stored now. lang is one of language.Codes, that of
// names; the texts are in textLang, see publicapi.InLanguage, "" for the original. A token that is
// unknown or has ended is a NotFound fault, and so is every one of an event that is taken back.
func (s *Service) Show(ctx context.Context, token, lang, textLang string) (Event, error) {
	var shown Event
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		event, err := s.linked(ctx, tx, token)
		if err != nil {
			return err
		}
		shown, err = s.read(ctx, tx, event, lang)
		return err
	})
	if err == nil && textLang != "" {
		err = translate(&shown.Event, textLang)
	}
	s.addressImages(&shown.Event, token)
	return shown, err
}

// translate shows an event in a language.
func translate(event *publicapi.Event, language string) error {
	data, err := value.JSON(event)
	if err != nil {
		return fmt.Errorf("encode an event: %w", err)
	}
	*event = publicapi.Event{}
	if err := json.Unmarshal(publicapi.InLanguage(data, language), event); err != nil {
		return fmt.Errorf("decode an event: %w", err)
	}
	return nil
}

// linked returns the event of a link, or a NotFound fault.
func (s *Service) linked(ctx context.Context, tx pgx.Tx, token string) (event string, err error) {
	err = tx.QueryRow(ctx, selectLinked, auth.Digest(token), s.Now(), editRight).Scan(&event)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", fault.New(fault.NotFound, "preview_not_found", "this preview has ended, or never existed")
	}
	if err != nil {
		return "", fmt.Errorf("read preview link: %w", err)
	}
	return event, nil
}

func (s *Service) read(ctx context.Context, tx pgx.Tx, event, lang string) (shown Event, err error) {
	snapshot, err := outbox.Preview(ctx, tx, event)
	if err != nil {
		return shown, err
	}
	if snapshot == nil {
		return shown, fmt.Errorf("the link of event %s outlives it", event)
	}
	if shown.Event, err = s.projector.Event(*snapshot); err != nil {
		return shown, fmt.Errorf("show event %s: %w", event, err)
	}
	shown.EventTypes, err = nameTypes(ctx, tx, shown.Event.EventTypes, lang)
	return shown, err
}

const selectNames = `
SELECT id::integer, names
FROM lookup_item
WHERE lookup = $1 AND id = ANY ($2::text[])`

// nameTypes adds the names of types and genres in a language, or in the default one.
func nameTypes(ctx context.Context, tx pgx.Tx, types []publicapi.EventType, lang string) ([]Type, error) {
	typeIDs, genreIDs := []string{}, []string{}
	for _, one := range types {
		typeIDs, genreIDs = append(typeIDs, fmt.Sprint(one.TypeID)), append(genreIDs, fmt.Sprint(one.GenreID))
	}
	typeNames, err := names(ctx, tx, change.LookupEventTypes, typeIDs, lang)
	if err != nil {
		return nil, err
	}
	genreNames, err := names(ctx, tx, change.LookupEventGenres, genreIDs, lang)
	if err != nil {
		return nil, err
	}
	named := make([]Type, len(types))
	for i, one := range types {
		named[i] = Type{one.TypeID, typeNames[one.TypeID], one.GenreID, genreNames[one.GenreID]}
	}
	return named, nil
}

func names(ctx context.Context, tx pgx.Tx, lookup string, ids []string, lang string) (map[int]string, error) {
	rows, err := tx.Query(ctx, selectNames, lookup, ids)
	if err != nil {
		return nil, fmt.Errorf("read names of %s: %w", lookup, err)
	}
	found := map[int]string{}
	var id int
	var byLang map[string]string
	_, err = pgx.ForEachRow(rows, []any{&id, &byLang}, func() error {
		found[id] = cmp.Or(byLang[lang], byLang[language.Default])
		byLang = nil
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read names of %s: %w", lookup, err)
	}
	return found, nil
}
