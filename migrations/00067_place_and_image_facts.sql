-- Ids of venues in public registers, and which images a model has made.

-- +goose Up
ALTER TABLE venue
    ADD COLUMN wikidata_id text CHECK (wikidata_id ~ '^Q[1-9][0-9]{0,11}$'),
    ADD COLUMN osm_id text CHECK (osm_id ~ '^(node|way|relation)/[1-9][0-9]{0,15}$');

ALTER TABLE event_image
    ADD COLUMN ai_generated boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE event_image
    DROP COLUMN ai_generated;

ALTER TABLE venue
    DROP COLUMN wikidata_id,
    DROP COLUMN osm_id;
