-- Positions are the numbers of PostgreSQL's transactions, which begin with small ones again when a
-- backup is restored into a new cluster. This is added to them; `admin restored` raises it, so that
-- positions only grow.

-- +goose Up
CREATE SEQUENCE position_base MINVALUE 0 START 0;

-- When the last backup was complete, in seconds of Unix time: backup.sh sets it, admin shows it as
-- a metric.
CREATE SEQUENCE backed_up_at MINVALUE 0 START 0;

-- +goose Down
DROP SEQUENCE backed_up_at;
DROP SEQUENCE position_base;
