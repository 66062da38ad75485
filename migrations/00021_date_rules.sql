-- A rule from which several dates of an event were made: a first date and its recurrence
-- (iCalendar). A date keeps the rule and its original start when it is moved.

-- +goose Up
CREATE TABLE event_date_rule (
    uuid uuid_v7 PRIMARY KEY,
    event_uuid uuid NOT NULL REFERENCES event ON DELETE CASCADE,
    start_date day NOT NULL,
    start_time minute_of_day,
    end_date day,
    end_time minute_of_day,
    all_day boolean NOT NULL,
    rrule text CHECK (rrule <> '' AND char_length(rrule) <= 20000),
    rdate text[] NOT NULL CHECK (cardinality(rdate) <= 1000 AND array_position(rdate, NULL) IS NULL),
    exdate text[] NOT NULL CHECK (cardinality(exdate) <= 1000 AND array_position(exdate, NULL) IS NULL),
    CONSTRAINT event_date_rule_of_event UNIQUE (event_uuid, uuid),
    CONSTRAINT event_date_rule_all_day_has_no_times CHECK (
        all_day = (start_time IS NULL) AND NOT (all_day AND end_time IS NOT NULL)
    ),
    CONSTRAINT event_date_rule_ends_after_start CHECK (end_date >= start_date)
);

ALTER TABLE event_date
ADD COLUMN rule_uuid uuid,
ADD COLUMN recurrence_id text CHECK (recurrence_id ~ '^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$'),
ADD CONSTRAINT event_date_rule_and_original CHECK ((rule_uuid IS NULL) = (recurrence_id IS NULL)),
ADD CONSTRAINT event_date_rule_of_event FOREIGN KEY (event_uuid, rule_uuid)
REFERENCES event_date_rule (event_uuid, uuid) DEFERRABLE INITIALLY IMMEDIATE;

CREATE UNIQUE INDEX event_date_original ON event_date (rule_uuid, recurrence_id) WHERE rule_uuid IS NOT NULL;

-- +goose Down
DROP INDEX event_date_original;
ALTER TABLE event_date
DROP CONSTRAINT event_date_rule_of_event,
DROP CONSTRAINT event_date_rule_and_original,
DROP COLUMN recurrence_id,
DROP COLUMN rule_uuid;
DROP TABLE event_date_rule;
