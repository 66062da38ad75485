package store

import (
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// dateRow is a date as its row.
type dateRow struct {
	EventUUID string `json:"event_uuid"`
	Slug      string `json:"slug"`
	rules.Date
}

type ruleRow struct {
	EventUUID string `json:"event_uuid"`
	rules.DateRule
}

type typeRow struct {
	EventUUID string `json:"event_uuid"`
	Position  int    `json:"position"`
	adminapi.EventType
}

type seriesRow struct {
	EventUUID string `json:"event_uuid"`
	Position  int    `json:"position"`
	rules.EventSeries
}

type linkRow struct {
	EventUUID string `json:"event_uuid"`
	Position  int    `json:"position"`
	rules.EventLink
}

type namedRow struct {
	EventUUID       string `json:"event_uuid"`
	Position        int    `json:"position"`
	ContributorUUID string `json:"contributor_uuid"`
	Role            string `json:"role"`
}

// imageRow is an image of an event, or of a series.
type imageRow struct {
	EventUUID  value.Text `json:"event_uuid"`
	SeriesUUID value.Text `json:"series_uuid"`
	rules.Image
}

// parts are the differences between the stored parts of events and the given ones. Dates are
// compared one by one, because an event may have hundreds; of the other parts an event has few, and
// all are replaced when one differs.
type parts struct {
	newDates, changedDates []dateRow
	changedAvailabilities  []dateRow
	goneDates              []string
	newRules, changedRules []ruleRow
	goneRules              []string
	types                  []typeRow
	links                  []linkRow
	images                 []imageRow
	series                 []seriesRow
	goneSeries             []seriesRow
	named                  []namedRow
	// The stored events whose types, links, images or contributors are replaced.
	staleTypes, staleLinks, staleImages, staleNamed []string
}

// compare adds the differences between an event and its stored state, which has no uuid when the
// event is new.
func (p *parts) compare(event, stored *rules.Event) {
	replace := func(stale *[]string) {
		if stored.UUID != "" {
			*stale = append(*stale, stored.UUID)
		}
	}
	p.compareDates(event, stored)
	p.compareRules(event, stored)
	if !slices.Equal(event.EventTypes, stored.EventTypes) {
		replace(&p.staleTypes)
		for i, t := range event.EventTypes {
			p.types = append(p.types, typeRow{event.UUID, i, t})
		}
	}
	if !slices.Equal(event.EventLinks, stored.EventLinks) {
		replace(&p.staleLinks)
		for i, link := range event.EventLinks {
			p.links = append(p.links, linkRow{event.UUID, i, link})
		}
	}
	if !slices.Equal(event.Series, stored.Series) {
		for i, of := range event.Series {
			p.series = append(p.series, seriesRow{event.UUID, i, of})
		}
		for _, of := range stored.Series {
			if event.SeriesState(of.SeriesUUID) == "" {
				p.goneSeries = append(p.goneSeries, seriesRow{EventUUID: event.UUID, EventSeries: of})
			}
		}
	}
	if !slices.Equal(event.Contributors, stored.Contributors) {
		replace(&p.staleNamed)
		for i, named := range event.Contributors {
			p.named = append(p.named, namedRow{event.UUID, i, named.UUID, named.Role})
		}
	}
	if !reflect.DeepEqual(event.Images, stored.Images) {
		replace(&p.staleImages)
		for _, image := range event.Images {
			p.images = append(p.images, imageRow{EventUUID: value.Text(event.UUID), Image: image})
		}
	}
}

func (p *parts) compareDates(event, stored *rules.Event) {
	before := make(map[string]dateRow, len(stored.Dates))
	for _, row := range dateRows(stored) {
		before[row.UUID] = row
	}
	for _, row := range dateRows(event) {
		old, known := before[row.UUID]
		delete(before, row.UUID)
		switch {
		case !known:
			p.newDates = append(p.newDates, row)
		case !reflect.DeepEqual(row, old):
			p.changedDates = append(p.changedDates, row)
			if row.DateAvailability != old.DateAvailability {
				p.changedAvailabilities = append(p.changedAvailabilities, row)
			}
		}
	}
	for uuid := range before {
		p.goneDates = append(p.goneDates, uuid)
	}
}

func (p *parts) compareRules(event, stored *rules.Event) {
	before := make(map[string]rules.DateRule, len(stored.DateRules))
	for _, rule := range stored.DateRules {
		before[rule.UUID] = rule
	}
	for _, rule := range event.DateRules {
		old, known := before[rule.UUID]
		delete(before, rule.UUID)
		switch {
		case !known:
			p.newRules = append(p.newRules, ruleRow{event.UUID, rule})
		case !reflect.DeepEqual(rule, old):
			p.changedRules = append(p.changedRules, ruleRow{event.UUID, rule})
		}
	}
	for uuid := range before {
		p.goneRules = append(p.goneRules, uuid)
	}
}

func dateRows(event *rules.Event) []dateRow {
	rows := make([]dateRow, len(event.Dates))
	slugs := rules.AssignSlugs(event.Dates)
	for i, date := range event.Dates {
		rows[i] = dateRow{event.UUID, slugs[i], date}
	}
	return rows
}

const deleteDates = `DELETE FROM event_date WHERE uuid = ANY ($1::uuid[])`

const deleteRules = `DELETE FROM event_date_rule WHERE uuid = ANY ($1::uuid[])`

const deleteTypes = `DELETE FROM event_type WHERE event_uuid = ANY ($1::uuid[])`

const deleteLinks = `DELETE FROM event_link WHERE event_uuid = ANY ($1::uuid[])`

const deleteNamed = `DELETE FROM event_contributor WHERE event_uuid = ANY ($1::uuid[])`

const deleteImages = `DELETE FROM event_image WHERE event_uuid = ANY ($1::uuid[])`

const updateDates = `
UPDATE event_date
SET
    slug = row.slug,
    start_date = row.start_date,
    start_time = row.start_time,
    end_date = row.end_date,
    end_time = row.end_time,
    entry_time = row.entry_time,
    all_day = row.all_day,
    venue_uuid = row.venue_uuid,
    space_uuid = row.space_uuid,
    release_status = row.release_status,
    status_note = row.status_note,
    ticket_link = row.ticket_link,
    accessibility_info = row.accessibility_info,
    hours = row.hours,
    rule_uuid = row.rule_uuid,
    recurrence_id = row.recurrence_id,
    series_part_uuid = row.series_part_uuid,
    on_sale_from = row.on_sale_from,
    on_sale_until = row.on_sale_until,
    previous_start = row.previous_start,
    status_changed_at = row.status_changed_at,
    tariffs = row.tariffs
FROM json_populate_recordset(NULL::event_date, $1) AS row
WHERE event_date.uuid = row.uuid`

// updateAvailabilities is not a part of updateDates: box offices change the availability of a date
// while others edit its event, and an edit of anything else must not write back what it has read.
// An edit of the availability has locked the dates (LockDates).
const updateAvailabilities = `
UPDATE event_date
SET
    availability = row.availability,
    remaining_places = row.remaining_places,
    availability_version = row.availability_version
FROM json_populate_recordset(NULL::event_date, $1) AS row
WHERE event_date.uuid = row.uuid`

const insertDates = `
INSERT INTO event_date (
    uuid, event_uuid, slug, start_date, start_time, end_date, end_time, entry_time, all_day, venue_uuid, space_uuid,
    release_status, status_note, ticket_link, accessibility_info, hours, rule_uuid, recurrence_id,
    series_part_uuid,
    availability, remaining_places, availability_version, on_sale_from, on_sale_until, previous_start,
    status_changed_at, tariffs
)
SELECT
    uuid, event_uuid, slug, start_date, start_time, end_date, end_time, entry_time, all_day, venue_uuid, space_uuid,
    release_status, status_note, ticket_link, accessibility_info, hours, rule_uuid, recurrence_id,
    series_part_uuid,
    availability, remaining_places, availability_version, on_sale_from, on_sale_until, previous_start,
    status_changed_at, tariffs
FROM json_populate_recordset(NULL::event_date, $1)
ORDER BY uuid`

const updateRules = `
UPDATE event_date_rule
SET
    start_date = row.start_date,
    start_time = row.start_time,
    end_date = row.end_date,
    end_time = row.end_time,
    all_day = row.all_day,
    rrule = row.rrule,
    rdate = row.rdate,
    exdate = row.exdate
FROM json_populate_recordset(NULL::event_date_rule, $1) AS row
WHERE event_date_rule.uuid = row.uuid`

const insertRules = `
INSERT INTO event_date_rule (
    uuid, event_uuid, start_date, start_time, end_date, end_time, all_day, rrule, rdate, exdate
)
SELECT uuid, event_uuid, start_date, start_time, end_date, end_time, all_day, rrule, rdate, exdate
FROM json_populate_recordset(NULL::event_date_rule, $1)
ORDER BY uuid`

const insertTypes = `
INSERT INTO event_type (event_uuid, position, type_id, genre_id)
SELECT event_uuid, position, type_id, genre_id
FROM json_populate_recordset(NULL::event_type, $1)`

const insertLinks = `
INSERT INTO event_link (uuid, event_uuid, position, type, label, url)
SELECT uuid, event_uuid, position, type, label, url
FROM json_populate_recordset(NULL::event_link, $1)`

const insertNamed = `
INSERT INTO event_contributor (event_uuid, position, contributor_uuid, role)
SELECT event_uuid, position, contributor_uuid, role
FROM json_populate_recordset(NULL::event_contributor, $1)`

const insertImages = `
INSERT INTO event_image (
    uuid, event_uuid, series_uuid, identifier, mime_type, width, height, alt_text, description, license, creator_name,
    copyright, focus_x, focus_y, ai_generated
)
SELECT
    uuid, event_uuid, series_uuid, identifier, mime_type, width, height, alt_text, description, license, creator_name,
    copyright, focus_x, focus_y, ai_generated
FROM json_populate_recordset(NULL::event_image, $1)
ORDER BY uuid`

const deleteSeriesOfEvents = `
DELETE FROM series_event
USING json_populate_recordset(NULL::series_event, $1) AS row
WHERE series_event.event_uuid = row.event_uuid AND series_event.series_uuid = row.series_uuid`

// upsertSeriesOfEvents keeps the time at which an event asked.
const upsertSeriesOfEvents = `
INSERT INTO series_event AS stored (event_uuid, series_uuid, position, state, decided_at)
SELECT event_uuid, series_uuid, position, state, CASE WHEN state <> 'asked' THEN now() END
FROM json_populate_recordset(NULL::series_event, $1)
ORDER BY event_uuid, series_uuid
ON CONFLICT (event_uuid, series_uuid) DO UPDATE SET
    position = excluded.position,
    state = excluded.state,
    decided_at = CASE WHEN stored.state = excluded.state THEN stored.decided_at ELSE excluded.decided_at END`

// queueParts queues the statements that write the differences of events' parts: it deletes, then
// updates, then inserts, so that a part may move from one event to another. Dates refer to rules:
// new rules are written before the dates, and unused ones deleted after them.
func queueParts(batch *pgx.Batch, events []*rules.Event, stored Found[*rules.Event]) {
	var p parts
	for _, event := range events {
		before := stored[event.UUID].Entity
		if before == nil {
			before = &rules.Event{}
		}
		p.compare(event, before)
	}
	steps := []struct {
		sql   string
		count int
		rows  any
	}{
		{deleteDates, len(p.goneDates), p.goneDates},
		{deleteTypes, len(p.staleTypes), p.staleTypes},
		{deleteLinks, len(p.staleLinks), p.staleLinks},
		{deleteImages, len(p.staleImages), p.staleImages},
		{deleteSeriesOfEvents, len(p.goneSeries), p.goneSeries},
		{deleteNamed, len(p.staleNamed), p.staleNamed},
		{updateRules, len(p.changedRules), p.changedRules},
		{insertRules, len(p.newRules), p.newRules},
		{updateDates, len(p.changedDates), p.changedDates},
		{updateAvailabilities, len(p.changedAvailabilities), p.changedAvailabilities},
		{insertDates, len(p.newDates), p.newDates},
		{deleteRules, len(p.goneRules), p.goneRules},
		{insertTypes, len(p.types), p.types},
		{insertLinks, len(p.links), p.links},
		{insertImages, len(p.images), p.images},
		{upsertSeriesOfEvents, len(p.series), p.series},
		{insertNamed, len(p.named), p.named},
	}
	for _, step := range steps {
		if step.count > 0 {
			batch.Queue(step.sql, step.rows)
		}
	}
}
