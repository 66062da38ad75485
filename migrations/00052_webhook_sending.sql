-- Deliveries that are being sent are marked: those of a process that died are sent by another one at
-- once. The logs of webhooks are read without their pending deliveries.

-- +goose Up
ALTER TABLE webhook_delivery ADD COLUMN sending boolean NOT NULL DEFAULT false;

CREATE INDEX webhook_delivery_log ON webhook_delivery (webhook_uuid, number) WHERE state <> 'pending';

-- +goose Down
DROP INDEX webhook_delivery_log;
ALTER TABLE webhook_delivery DROP COLUMN sending;
