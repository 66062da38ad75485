-- The value sets. They are part of the program and written to the database by its migration, so
-- that foreign keys can refer to them and their names reach the read nodes.

-- +goose Up
CREATE TABLE lookup (
    name text PRIMARY KEY CHECK (name ~ '^[a-z0-9-]+$'),
    "integer" boolean NOT NULL -- the items' ids are shown as integers
);

CREATE TABLE lookup_item (
    lookup text NOT NULL REFERENCES lookup ON DELETE CASCADE,
    id text NOT NULL CHECK (id <> ''),
    grp text NOT NULL DEFAULT '', -- the item of another lookup that it belongs to, e.g. the type of a genre
    names jsonb NOT NULL CHECK (jsonb_typeof(names) = 'object' AND names ? 'en'), -- by language code
    extra jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(extra) = 'object'),
    position integer NOT NULL CHECK (position >= 0),
    PRIMARY KEY (lookup, id),
    UNIQUE (lookup, position) DEFERRABLE INITIALLY IMMEDIATE
);

-- The allowed pairs of event type and genre; genre 0 means none. Filled from the lookups.
CREATE TABLE event_genre (
    type_id integer NOT NULL CHECK (type_id > 0),
    genre_id integer NOT NULL CHECK (genre_id >= 0),
    PRIMARY KEY (type_id, genre_id)
);

-- +goose Down
DROP TABLE event_genre;
DROP TABLE lookup_item;
DROP TABLE lookup;
