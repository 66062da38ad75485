-- Translations of the texts of series, as those of events (00063).

-- +goose Up
ALTER TABLE series
    ADD COLUMN text_language user_language,
    ADD COLUMN texts jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(texts) = 'object'),
    ADD CONSTRAINT series_original_is_no_translation CHECK (NOT coalesce(texts ? text_language, false));

-- +goose Down
ALTER TABLE series
    DROP COLUMN texts,
    DROP COLUMN text_language;
