-- The rule for public events, defined once. rules.PublicStatus repeats it in the program; a test
-- compares them. Both functions are plain expressions, so that the planner inlines them.

-- +goose Up
-- Whether an event of this status may be seen by everyone once its release date has come.
-- +goose StatementBegin
CREATE FUNCTION event_status_is_public(release_status text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN release_status IN ('released', 'cancelled', 'deferred', 'rescheduled');
-- +goose StatementEnd

-- Whether an event is public now. release_scheduled stays true until its release date has come.
-- +goose StatementBegin
CREATE FUNCTION event_is_public(release_status text, release_scheduled boolean) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN event_status_is_public(release_status) AND NOT release_scheduled;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION event_is_public(text, boolean);
DROP FUNCTION event_status_is_public(text);
