-- Translations of the texts of events.

-- +goose Up
-- text_language is the language of the texts in their own columns, if it is stated. texts are the
-- translations of them by language code; those of images are in it by the uuid of the image.
ALTER TABLE event
    ADD COLUMN text_language user_language,
    ADD COLUMN texts jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(texts) = 'object'),
    ADD CONSTRAINT event_original_is_no_translation CHECK (NOT coalesce(texts ? text_language, false));

-- +goose Down
ALTER TABLE event
    DROP COLUMN texts,
    DROP COLUMN text_language;
