-- The value types of the catalogue: the values a column may have. Absent text is NULL, never ''.

-- +goose Up
CREATE DOMAIN uuid_v7 AS uuid
    CHECK (VALUE::text ~ '^.{14}7.{4}[89ab]');

CREATE DOMAIN text_500 AS text
    CHECK (char_length(VALUE) BETWEEN 1 AND 500);

CREATE DOMAIN text_2000 AS text
    CHECK (char_length(VALUE) BETWEEN 1 AND 2000);

CREATE DOMAIN text_10000 AS text
    CHECK (char_length(VALUE) BETWEEN 1 AND 10000);

CREATE DOMAIN text_100000 AS text
    CHECK (char_length(VALUE) BETWEEN 1 AND 100000);

CREATE DOMAIN web_url AS text
    CHECK (char_length(VALUE) <= 2048 AND VALUE ~ '^https?://[^[:space:]]+$');

CREATE DOMAIN email_address AS text
    CHECK (char_length(VALUE) <= 320 AND VALUE ~ '^[^@[:space:]]+@[^@[:space:]]+$');

-- The key of an item of a value set that has no table of its own, e.g. a space type.
CREATE DOMAIN item_key AS text
    CHECK (VALUE ~ '^[a-z0-9][a-z0-9_-]{0,63}$');

CREATE DOMAIN country_code AS text -- ISO 3166-1 alpha-3
    CHECK (VALUE ~ '^[A-Z]{3}$');

CREATE DOMAIN state_code AS text -- the part of ISO 3166-2 after the hyphen
    CHECK (VALUE ~ '^[A-Z0-9]{1,3}$');

CREATE DOMAIN currency_code AS text -- ISO 4217
    CHECK (VALUE ~ '^[A-Z]{3}$');

CREATE DOMAIN price AS numeric(11, 3)
    CHECK (VALUE >= 0);

CREATE DOMAIN latitude AS double precision
    CHECK (VALUE BETWEEN -90 AND 90);

CREATE DOMAIN longitude AS double precision
    CHECK (VALUE BETWEEN -180 AND 180);

CREATE DOMAIN day AS date
    CHECK (VALUE BETWEEN '1900-01-01' AND '2999-12-31');

CREATE DOMAIN minute_of_day AS time
    CHECK (VALUE < '24:00' AND extract(second FROM VALUE) = 0);

CREATE DOMAIN slug AS text
    CHECK (VALUE ~ '^[a-z0-9-]{1,100}$');

-- A set of the bits 0 to 63 is stored as the bigint with the same bit pattern: bit 63 is its sign.
-- Outside the database a mask is a decimal number from 0 to 18446744073709551615, as text.
-- +goose StatementBegin
CREATE FUNCTION mask_to_text(mask bigint) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE
    WHEN mask < 0 THEN (mask::numeric + 18446744073709551616)::text
    ELSE mask::text
END;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION mask_to_text(bigint);
DROP DOMAIN slug;
DROP DOMAIN minute_of_day;
DROP DOMAIN day;
DROP DOMAIN longitude;
DROP DOMAIN latitude;
DROP DOMAIN price;
DROP DOMAIN currency_code;
DROP DOMAIN state_code;
DROP DOMAIN country_code;
DROP DOMAIN item_key;
DROP DOMAIN email_address;
DROP DOMAIN web_url;
DROP DOMAIN text_100000;
DROP DOMAIN text_10000;
DROP DOMAIN text_2000;
DROP DOMAIN text_500;
DROP DOMAIN uuid_v7;
