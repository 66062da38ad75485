-- Opening hours: weekly hours with closed and special days, as one value. A date with them is a
-- period from its first to its last day, or without end.

-- +goose Up
ALTER TABLE event_date
ADD COLUMN hours jsonb CHECK (jsonb_typeof(hours) = 'object'),
ADD CONSTRAINT event_date_with_hours_is_all_day CHECK (hours IS NULL OR all_day);

ALTER TABLE venue
ADD COLUMN hours jsonb CHECK (jsonb_typeof(hours) = 'object');

-- A date with opening hours and without an end day has no end.
CREATE FUNCTION last_day(start_date date, end_date date, hours jsonb) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(end_date, CASE WHEN hours IS NULL THEN start_date ELSE date '9999-12-31' END);

-- +goose Down
DROP FUNCTION last_day (date, date, jsonb);

ALTER TABLE venue DROP COLUMN hours;

ALTER TABLE event_date
DROP CONSTRAINT event_date_with_hours_is_all_day,
DROP COLUMN hours;
