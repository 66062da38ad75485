-- The console's colours follow the device until a person chooses others. "light" was what every
-- account began with, so it is no choice.

-- +goose Up
ALTER TABLE app_user
    DROP CONSTRAINT app_user_theme_check,
    ADD CONSTRAINT app_user_theme_check CHECK (theme IN ('auto', 'light', 'dark')),
    ALTER COLUMN theme SET DEFAULT 'auto';

UPDATE app_user
SET theme = 'auto'
WHERE theme = 'light';

-- +goose Down
UPDATE app_user
SET theme = 'light'
WHERE theme = 'auto';

ALTER TABLE app_user
    DROP CONSTRAINT app_user_theme_check,
    ADD CONSTRAINT app_user_theme_check CHECK (theme IN ('light', 'dark')),
    ALTER COLUMN theme SET DEFAULT 'light';
