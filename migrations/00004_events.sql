-- Events with their dates, types, links and images: one aggregate, written and read as a whole.
--
-- An event is public when its release_status is released, cancelled, deferred or rescheduled and release_scheduled is
-- false. Nothing of other events may leave this database (RULES.md, What is public).

-- +goose Up
CREATE TABLE event (
    uuid uuid_v7 PRIMARY KEY,
    org_uuid uuid NOT NULL REFERENCES organization,
    venue_uuid uuid REFERENCES venue,
    space_uuid uuid,
    title text NOT NULL CHECK (char_length(title) <= 2000),
    subtitle text_2000,
    summary text_10000,
    description text_100000,
    categories smallint[] NOT NULL CHECK (categories <@ '{1,2,3,4,5,6}' AND cardinality(categories) <= 6),
    languages text[] NOT NULL CHECK (cardinality(languages) <= 50 AND array_position(languages, NULL) IS NULL),
    tags text[] NOT NULL CHECK (cardinality(tags) <= 100 AND array_position(tags, NULL) IS NULL AND '' <> ALL (tags)),
    min_age smallint CHECK (min_age BETWEEN 0 AND 150),
    max_age smallint CHECK (max_age BETWEEN 0 AND 150),
    price_type text NOT NULL CHECK (
        price_type IN ('not_specified', 'regular_price', 'free', 'donation', 'tiered_prices')
    ),
    min_price price,
    max_price price,
    currency currency_code,
    ticket_flags text[] NOT NULL CHECK (
        cardinality(ticket_flags) <= 6 AND ticket_flags <@ '{
            advance_ticket, ticket_required, on_site_ticket_sales, registration_required,
            reduced_price_available, presale_fee_applies
        }'
    ),
    visitor_info_flags bigint, -- see mask_to_text
    participation_info text_10000,
    meeting_point text_2000,
    max_attendees integer CHECK (max_attendees > 0),
    occasion smallint NOT NULL CHECK (occasion >= 0), -- 0: not specified
    online_link web_url,
    source_link web_url,
    release_status text NOT NULL CHECK (
        release_status IN ('draft', 'review', 'released', 'cancelled', 'deferred', 'rescheduled')
    ),
    release_date timestamptz, -- public from then on; NULL: immediately
    -- True while the release_date is in the future: set when the event is saved, cleared by the
    -- relay at that time.
    release_scheduled boolean NOT NULL DEFAULT false,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT event_space_of_venue FOREIGN KEY (venue_uuid, space_uuid) REFERENCES space (venue_uuid, uuid),
    CONSTRAINT event_space_needs_venue CHECK (space_uuid IS NULL OR venue_uuid IS NOT NULL),
    CONSTRAINT event_title_once_public CHECK (title <> '' OR release_status IN ('draft', 'review')),
    CONSTRAINT event_ages_in_order CHECK (max_age >= min_age),
    CONSTRAINT event_prices_in_order CHECK (max_price >= min_price),
    CONSTRAINT event_price_has_currency CHECK (currency IS NOT NULL OR (min_price IS NULL AND max_price IS NULL)),
    CONSTRAINT event_free_costs_nothing CHECK (
        price_type <> 'free' OR (coalesce(min_price, 0) = 0 AND coalesce(max_price, 0) = 0)
    ),
    CONSTRAINT event_scheduled_has_date CHECK (
        NOT release_scheduled OR (release_date IS NOT NULL AND release_status NOT IN ('draft', 'review'))
    )
);

CREATE INDEX event_by_organization ON event (org_uuid);
CREATE INDEX event_by_venue ON event (venue_uuid, space_uuid) WHERE venue_uuid IS NOT NULL;
CREATE INDEX event_by_scheduled_release ON event (release_date) WHERE release_scheduled;

-- A date with its own venue uses its own space or none; a date without one uses the event's venue
-- and space.
CREATE TABLE event_date (
    uuid uuid_v7 PRIMARY KEY,
    event_uuid uuid NOT NULL REFERENCES event ON DELETE CASCADE,
    slug text NOT NULL CHECK (slug ~ '^\d{4}-\d\d-\d\d(-\d{4})?(-\d+)?$'),
    start_date day NOT NULL,
    start_time minute_of_day,
    end_date day,
    end_time minute_of_day,
    entry_time minute_of_day,
    all_day boolean NOT NULL,
    venue_uuid uuid REFERENCES venue,
    space_uuid uuid,
    release_status text NOT NULL CHECK (release_status IN ('inherited', 'cancelled', 'deferred', 'rescheduled')),
    ticket_link web_url,
    accessibility_info text_10000,
    CONSTRAINT event_date_slug UNIQUE (event_uuid, slug) DEFERRABLE INITIALLY IMMEDIATE,
    CONSTRAINT event_date_space_of_venue FOREIGN KEY (venue_uuid, space_uuid) REFERENCES space (venue_uuid, uuid),
    CONSTRAINT event_date_space_needs_venue CHECK (space_uuid IS NULL OR venue_uuid IS NOT NULL),
    CONSTRAINT event_date_all_day_has_no_times CHECK (
        all_day = (start_time IS NULL) AND NOT (all_day AND (end_time IS NOT NULL OR entry_time IS NOT NULL))
    ),
    CONSTRAINT event_date_ends_after_start CHECK (end_date >= start_date),
    CONSTRAINT event_date_ends_after_start_time CHECK (
        coalesce(end_date, start_date) + end_time >= start_date + start_time
    ),
    CONSTRAINT event_date_entry_before_start CHECK (entry_time <= start_time)
);

CREATE INDEX event_date_by_venue ON event_date (venue_uuid, space_uuid) WHERE venue_uuid IS NOT NULL;

CREATE TABLE event_type (
    event_uuid uuid NOT NULL REFERENCES event ON DELETE CASCADE,
    position smallint NOT NULL CHECK (position >= 0),
    type_id integer NOT NULL,
    genre_id integer NOT NULL, -- 0: no genre
    PRIMARY KEY (event_uuid, type_id, genre_id),
    CONSTRAINT event_type_genre_of_type FOREIGN KEY (type_id, genre_id) REFERENCES event_genre
);

CREATE TABLE event_link (
    event_uuid uuid NOT NULL REFERENCES event ON DELETE CASCADE,
    position smallint NOT NULL CHECK (position >= 0),
    type item_key NOT NULL,
    label text_500,
    url web_url NOT NULL,
    PRIMARY KEY (event_uuid, position)
);

-- Metadata of an image; its pixels are stored in the blob store under the same uuid.
CREATE TABLE event_image (
    uuid uuid_v7 PRIMARY KEY,
    event_uuid uuid NOT NULL REFERENCES event ON DELETE CASCADE,
    identifier text NOT NULL CHECK (identifier ~ '^(main|gallery_[1-7])$'),
    mime_type text NOT NULL CHECK (mime_type ~ '^image/[a-z0-9.+-]{1,50}$'),
    width integer NOT NULL CHECK (width > 0),
    height integer NOT NULL CHECK (height > 0),
    alt_text text_2000,
    description text_10000,
    license item_key,
    creator_name text_500,
    copyright text_500,
    focus_x double precision CHECK (focus_x BETWEEN 0 AND 1),
    focus_y double precision CHECK (focus_y BETWEEN 0 AND 1),
    CONSTRAINT event_image_one_per_place UNIQUE (event_uuid, identifier) DEFERRABLE INITIALLY IMMEDIATE,
    CONSTRAINT event_image_focus_is_a_point CHECK ((focus_x IS NULL) = (focus_y IS NULL))
);

-- +goose Down
DROP TABLE event_image;
DROP TABLE event_link;
DROP TABLE event_type;
DROP TABLE event_date;
DROP TABLE event;
