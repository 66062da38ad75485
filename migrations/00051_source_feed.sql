-- Sources that are another Litfass: where their change feed goes on, and where their events first
-- came from.

-- +goose Up
ALTER TABLE event_source
    ADD COLUMN feed jsonb CHECK (jsonb_typeof(feed) = 'object'); -- NULL: to be read from the beginning

ALTER TABLE imported_event
    ADD COLUMN origin text CHECK (origin <> '' AND length(origin) <= 2048); -- its address at the first Litfass

CREATE INDEX imported_event_origin ON imported_event (origin) WHERE origin IS NOT NULL;

-- +goose Down
DROP INDEX imported_event_origin;
ALTER TABLE imported_event DROP COLUMN origin;
ALTER TABLE event_source DROP COLUMN feed;
