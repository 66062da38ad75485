-- Organizations, their venues, the venues' spaces, and regions.
--
-- version counts the changes of a row including its parts, for optimistic locking. Deleting is
-- refused while an independent row refers to the deleted one; parts are deleted with it.

-- +goose Up
CREATE TABLE organization (
    uuid uuid_v7 PRIMARY KEY,
    name text_500 NOT NULL,
    description text_100000,
    legal_form item_key,
    nonprofit boolean,
    holding_org_uuid uuid REFERENCES organization,
    contact_email email_address,
    contact_phone text_500,
    web_link web_url,
    street text_500,
    house_number text_500,
    address_addition text_500,
    postal_code text_500,
    city text_500,
    state state_code,
    country country_code,
    lat latitude,
    lon longitude,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT organization_not_its_own_holding CHECK (holding_org_uuid <> uuid),
    CONSTRAINT organization_state_needs_country CHECK (state IS NULL OR country IS NOT NULL),
    CONSTRAINT organization_lat_with_lon CHECK ((lat IS NULL) = (lon IS NULL))
);

CREATE INDEX organization_by_holding ON organization (holding_org_uuid) WHERE holding_org_uuid IS NOT NULL;

CREATE TABLE venue (
    uuid uuid_v7 PRIMARY KEY,
    org_uuid uuid NOT NULL REFERENCES organization,
    name text_500 NOT NULL,
    summary text_10000,
    description text_100000,
    contact_email email_address,
    contact_phone text_500,
    web_link web_url,
    street text_500,
    house_number text_500,
    postal_code text_500,
    city text_500,
    state state_code,
    country country_code,
    lat latitude,
    lon longitude,
    timezone text_500,
    opened_at day,
    closed_at day,
    opening_hours text_10000,
    ticket_info text_10000,
    ticket_link web_url,
    accessibility_flags bigint, -- see mask_to_text
    accessibility_summary text_10000,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT venue_state_needs_country CHECK (state IS NULL OR country IS NOT NULL),
    CONSTRAINT venue_lat_with_lon CHECK ((lat IS NULL) = (lon IS NULL)),
    CONSTRAINT venue_closed_after_opened CHECK (closed_at >= opened_at)
);

CREATE INDEX venue_by_organization ON venue (org_uuid);

CREATE TABLE space (
    uuid uuid_v7 PRIMARY KEY,
    venue_uuid uuid NOT NULL REFERENCES venue ON DELETE CASCADE,
    name text_500 NOT NULL,
    description text_100000,
    space_type item_key,
    building_level smallint,
    total_capacity integer CHECK (total_capacity >= 0),
    seating_capacity integer CHECK (seating_capacity >= 0),
    web_link web_url,
    accessibility_flags bigint, -- see mask_to_text
    accessibility_summary text_10000,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT space_of_venue UNIQUE (venue_uuid, uuid) -- foreign keys to a space include its venue
);

CREATE TABLE region (
    id text PRIMARY KEY GENERATED ALWAYS AS (country_slug || '.' || state_slug || '.' || region_slug) STORED,
    country_slug slug NOT NULL,
    state_slug slug NOT NULL,
    region_slug slug NOT NULL,
    country_name text_500,
    state_name text_500,
    name text_500 NOT NULL,
    geometry jsonb NOT NULL, -- GeoJSON, lon lat
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT region_geometry_is_an_area CHECK (
        geometry ->> 'type' IN ('Polygon', 'MultiPolygon')
        AND jsonb_array_length(geometry -> 'coordinates') > 0
    )
);

-- +goose Down
DROP TABLE region;
DROP TABLE space;
DROP TABLE venue;
DROP TABLE organization;
