package eventimport

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
)

// knownSeries are the series that a file names.
type knownSeries struct {
	byName map[string]string // uuids by slug or title, in lower case
	titles map[string]string // by uuid
}

// Series of the organization come first, then series with the name as their slug.
const selectSeries = `
SELECT uuid::text, slug, title
FROM series
WHERE (slug = ANY ($1) OR lower(title) = ANY ($1)) AND (public OR org_uuid = $2)
ORDER BY org_uuid = $2 DESC, slug = ANY ($1) DESC, uuid`

// readSeries reads the series that the events of the file name: of the organization, and public
// ones of others.
func (r *run) readSeries(ctx context.Context, tx pgx.Tx) (known knownSeries, err error) {
	known = knownSeries{byName: map[string]string{}, titles: map[string]string{}}
	var names []string
	for _, e := range r.file.Events {
		names = append(names, namesOfSeries(strings.ToLower(e.Values[eventfile.FieldSeries]))...)
	}
	if len(names) == 0 {
		return known, nil
	}
	rows, err := tx.Query(ctx, selectSeries, names, r.org)
	if err != nil {
		return known, fmt.Errorf("read series of a file: %w", err)
	}
	var uuid, slug, title string
	_, err = pgx.ForEachRow(rows, []any{&uuid, &slug, &title}, func() error {
		known.titles[uuid] = title
		for _, name := range []string{slug, strings.ToLower(title)} {
			if known.byName[name] == "" {
				known.byName[name] = uuid
			}
		}
		return nil
	})
	if err != nil {
		return known, fmt.Errorf("read series of a file: %w", err)
	}
	return known, nil
}

// namesOfSeries returns the possible names of series in a text: a title may have commas.
func namesOfSeries(text string) (names []string) {
	for _, part := range split(text, ";") {
		names = append(names, part)
		names = append(names, split(part, ",")...)
	}
	return names
}

// mapSeries sets the series that the event asks for. A name of none is noted.
func (w *fileEvent) mapSeries(known knownSeries, text string) {
	add := func(name string) {
		uuid := known.byName[strings.ToLower(name)]
		same := func(of rules.EventSeries) bool { return of.SeriesUUID == uuid }
		switch {
		case uuid == "":
			w.note(eventfile.FieldSeries, reason.UnknownReference(reason.WordSeries))
		case !slices.ContainsFunc(w.event.Series, same):
			w.event.Series = append(w.event.Series, rules.EventSeries{SeriesUUID: uuid})
		}
	}
	for _, part := range split(text, ";") {
		if known.byName[strings.ToLower(part)] != "" {
			add(part)
			continue
		}
		for _, name := range split(part, ",") {
			add(name)
		}
	}
}

// seriesText writes the series of an event.
func seriesText(e *rules.Event) string {
	uuids := make([]string, len(e.Series))
	for i, of := range e.Series {
		uuids[i] = of.SeriesUUID
	}
	return strings.Join(uuids, ", ")
}

// takeSeries gives an event the series of another one. Its dates leave the parts of the series
// that it leaves.
func takeSeries(to, from *rules.Event) {
	for _, of := range to.Series {
		if from.SeriesState(of.SeriesUUID) == "" {
			for i := range to.Dates {
				to.Dates[i].SeriesPartUUID = ""
			}
		}
	}
	to.Series = slices.Clone(from.Series)
}

// titlesOf writes series by their titles.
func (k knownSeries) titlesOf(text string) string {
	names := split(text, ",")
	for i, uuid := range names {
		if title := k.titles[uuid]; title != "" {
			names[i] = title
		}
	}
	return strings.Join(names, ", ")
}
