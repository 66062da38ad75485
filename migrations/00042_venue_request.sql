-- A venue with the use "ask" can be used by an event of another organization once the venue's owner
-- has accepted a request for it. The request of an accepted organization outlives its event.

-- +goose Up
ALTER TABLE venue
    DROP CONSTRAINT venue_use,
    ADD CONSTRAINT venue_use CHECK (use IN ('open', 'ask', 'closed'));

CREATE TABLE venue_request (
    uuid uuid_v7 PRIMARY KEY,
    event_uuid uuid REFERENCES event ON DELETE SET NULL,
    venue_uuid uuid NOT NULL REFERENCES venue ON DELETE CASCADE,
    org_uuid uuid NOT NULL REFERENCES organization ON DELETE CASCADE, -- of the event
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'accepted', 'refused')),
    for_organization boolean NOT NULL DEFAULT false, -- accepted for all events of the organization
    note text_2000, -- of the person who asked
    answer text_2000, -- of the person who decided
    asked_by integer REFERENCES app_user ON DELETE SET NULL,
    asked_at timestamptz NOT NULL,
    decided_by integer REFERENCES app_user ON DELETE SET NULL,
    decided_at timestamptz,
    CONSTRAINT venue_request_once UNIQUE (event_uuid, venue_uuid),
    CONSTRAINT venue_request_decided CHECK ((state = 'pending') = (decided_at IS NULL)),
    CONSTRAINT venue_request_accepted_for_organization CHECK (state = 'accepted' OR NOT for_organization),
    CONSTRAINT venue_request_without_event CHECK (event_uuid IS NOT NULL OR for_organization)
);

CREATE INDEX venue_request_by_venue ON venue_request (venue_uuid, org_uuid);
CREATE INDEX venue_request_by_organization ON venue_request (org_uuid);
CREATE INDEX venue_request_by_asker ON venue_request (asked_by);
CREATE INDEX venue_request_by_decider ON venue_request (decided_by);

-- Requests end with their event, and when it moves to another organization.

-- +goose StatementBegin
CREATE FUNCTION venue_request_end() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM venue_request
    WHERE event_uuid = OLD.uuid AND NOT for_organization;
    UPDATE venue_request
    SET event_uuid = NULL
    WHERE event_uuid = OLD.uuid;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END;
$$;
-- +goose StatementEnd

CREATE TRIGGER venue_request_end
    BEFORE DELETE ON event
    FOR EACH ROW
    EXECUTE FUNCTION venue_request_end();

CREATE TRIGGER venue_request_end_of_move
    BEFORE UPDATE OF org_uuid ON event
    FOR EACH ROW
    WHEN (OLD.org_uuid <> NEW.org_uuid)
    EXECUTE FUNCTION venue_request_end();

-- A message of the platform leads to a page of the console.
ALTER TABLE message
    ADD COLUMN link text CHECK (link ~ '^/[a-z]' AND char_length(link) <= 500);

-- +goose Down
ALTER TABLE message
    DROP COLUMN link;
DROP TRIGGER venue_request_end_of_move ON event;
DROP TRIGGER venue_request_end ON event;
DROP FUNCTION venue_request_end();
DROP TABLE venue_request;
UPDATE venue
SET use = 'closed'
WHERE use = 'ask';
ALTER TABLE venue
    DROP CONSTRAINT venue_use,
    ADD CONSTRAINT venue_use CHECK (use IN ('open', 'closed'));
