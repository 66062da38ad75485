-- Organizations that a platform administrator has to approve, or has refused: nothing of them is
-- public. An organization without a row needs no approval. With ORGANIZATION_APPROVAL=on,
-- founding an organization adds its row.

-- +goose Up
CREATE TABLE organization_approval (
    org_uuid uuid PRIMARY KEY REFERENCES organization ON DELETE CASCADE,
    state text NOT NULL CHECK (state IN ('pending', 'approved', 'refused')),
    reason text CHECK (reason <> '' AND length(reason) <= 2000),
    asked_at timestamptz NOT NULL,
    decided_at timestamptz,
    CONSTRAINT organization_approval_is_whole CHECK (
        (state = 'pending') = (decided_at IS NULL) AND (state <> 'refused' OR reason IS NOT NULL)
    )
);

CREATE INDEX organization_approval_pending ON organization_approval (asked_at, org_uuid) WHERE state = 'pending';

-- +goose Down
DROP TABLE organization_approval;
