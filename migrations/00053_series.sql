-- Series: festivals, runs and programmes, each of an organization, with the parts by which their
-- dates are grouped (stages, days). An event of any organization asks to belong to a series, and
-- the organization of the series accepts or refuses it.

-- +goose Up
CREATE TABLE series (
    uuid uuid_v7 PRIMARY KEY,
    org_uuid uuid NOT NULL REFERENCES organization,
    slug slug NOT NULL UNIQUE,
    title text_500 NOT NULL,
    subtitle text_2000,
    description text_10000,
    web_link web_url,
    start_date day, -- NULL: that of its first date
    end_date day,
    public boolean NOT NULL,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT series_ends_after_start CHECK (end_date >= start_date)
);

CREATE INDEX series_by_organization ON series (org_uuid);

CREATE TABLE series_part (
    uuid uuid_v7 PRIMARY KEY,
    series_uuid uuid NOT NULL REFERENCES series ON DELETE CASCADE,
    position smallint NOT NULL CHECK (position >= 0),
    kind text NOT NULL CHECK (kind IN ('stage', 'day', 'other')),
    title text_500 NOT NULL,
    description text_10000
);

CREATE INDEX series_part_by_series ON series_part (series_uuid);

CREATE TABLE series_event (
    event_uuid uuid NOT NULL REFERENCES event ON DELETE CASCADE,
    series_uuid uuid NOT NULL REFERENCES series ON DELETE CASCADE,
    position smallint NOT NULL CHECK (position >= 0), -- among the series of the event
    state text NOT NULL CHECK (state IN ('asked', 'accepted', 'refused')),
    asked_at timestamptz NOT NULL DEFAULT now(),
    decided_at timestamptz,
    PRIMARY KEY (event_uuid, series_uuid)
);

CREATE INDEX series_event_by_series ON series_event (series_uuid, state);

-- The part of a series in which a date takes place. It is shown while the event belongs to the
-- series.
ALTER TABLE event_date
    ADD COLUMN series_part_uuid uuid REFERENCES series_part ON DELETE SET NULL;

CREATE INDEX event_date_by_series_part ON event_date (series_part_uuid)
WHERE series_part_uuid IS NOT NULL;

ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (
        kind IN ('lookup', 'region', 'organization', 'venue', 'event', 'portal', 'list', 'series', 'apikey')
    );

-- +goose Down
DELETE FROM outbox
WHERE kind = 'series';
ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('lookup', 'region', 'organization', 'venue', 'event', 'portal', 'list', 'apikey'));
ALTER TABLE event_date
    DROP COLUMN series_part_uuid;
DROP TABLE series_event;
DROP TABLE series_part;
DROP TABLE series;
