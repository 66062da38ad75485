-- Labels: words that the operator gives to events. They are published as the value set "labels".

-- +goose Up
CREATE TABLE label (
    key slug PRIMARY KEY,
    names jsonb NOT NULL CHECK (jsonb_typeof(names) = 'object' AND names ? 'en'), -- by language code
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);

-- Keys of labels. A transaction that writes them has locked the labels, and one that deletes a
-- label takes it off all events.
ALTER TABLE event
    ADD COLUMN labels text[] NOT NULL DEFAULT '{}';

CREATE INDEX event_by_label ON event USING gin (labels)
WHERE labels <> '{}';

-- +goose Down
ALTER TABLE event
    DROP COLUMN labels;
DELETE FROM lookup
WHERE name = 'labels';
DROP TABLE label;
