-- Who has an event open in the console. A row counts for some seconds after seen_at, so the table is
-- not logged: after a crash it is empty, and fills again with the next requests.

-- +goose Up
CREATE UNLOGGED TABLE event_presence (
    event_uuid uuid NOT NULL, -- no reference: a sign must not wait for an edit that locks the event
    user_id integer NOT NULL REFERENCES app_user ON DELETE CASCADE,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (event_uuid, user_id)
)
WITH (fillfactor = 50); -- rows are replaced every few seconds, in the same page

CREATE INDEX event_presence_by_user ON event_presence (user_id);

-- +goose Down
DROP TABLE event_presence;
