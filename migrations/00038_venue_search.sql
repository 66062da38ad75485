-- Venues of all organizations are searched while people type, so their words are compared in a
-- stored form: in lower case without accents, once with umlauts as their letters and once as their
-- digraphs.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION search_fold(text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT translate(
        replace(replace(lower($1), 'ß', 'ss'), 'æ', 'ae'),
        'àáâãäåāăąçćčďđèéêëēęěìíîïīłñńňòóôõöøōőřśšťùúûüūůűýÿźżž',
        'aaaaaaaaacccddeeeeeeeiiiiilnnnoooooooorsstuuuuuuuyyzzz'
    )
$$;

CREATE FUNCTION search_spell(text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT replace(replace(replace(replace(replace(lower($1), 'ä', 'ae'), 'ö', 'oe'), 'ø', 'oe'), 'ü', 'ue'), 'å', 'aa')
$$;

CREATE FUNCTION venue_words(name text, street text, house_number text, postal_code text, city text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT name || ' ' || coalesce(street, '') || ' ' || coalesce(house_number, '') || ' ' || coalesce(postal_code, '')
        || ' ' || coalesce(city, '')
$$;
-- +goose StatementEnd

ALTER TABLE venue
    ADD COLUMN search_text text GENERATED ALWAYS AS (
        search_fold(venue_words(name, street, house_number, postal_code, city)) || ' '
        || search_fold(search_spell(venue_words(name, street, house_number, postal_code, city)))
    ) STORED;

-- +goose Down
ALTER TABLE venue
    DROP COLUMN search_text;
DROP FUNCTION venue_words(text, text, text, text, text);
DROP FUNCTION search_spell(text);
DROP FUNCTION search_fold(text);
