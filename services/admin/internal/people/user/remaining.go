package user

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/platform/mail"
)

func remainingOf(ctx context.Context, tx pgx.Tx, userID int, now time.Time) (r adminapi.Remaining, err error) {
	if r.OrganizationKeys, err = apikey.MadeBy(ctx, tx, userID, now); err != nil {
		return r, err
	}
	r.Invitations, err = team.SentBy(ctx, tx, userID, now)
	return r, err
}

// maxListed is the maximum number of keys, and of invitations, in a mail.
const maxListed = 50

// mailRemaining converts the keys and invitations for a mail.
func mailRemaining(r adminapi.Remaining) mail.Remaining {
	var shown mail.Remaining
	for _, key := range r.OrganizationKeys[:min(len(r.OrganizationKeys), maxListed)] {
		shown.Keys = append(shown.Keys, mail.RemainingItem{Name: key.Name + " (" + key.Prefix + "…)", Organization: key.OrgName})
	}
	for _, sent := range r.Invitations[:min(len(r.Invitations), maxListed)] {
		shown.Invitations = append(shown.Invitations, mail.RemainingItem{Name: sent.Email, Organization: sent.OrgName})
	}
	shown.More = len(r.OrganizationKeys) + len(r.Invitations) - len(shown.Keys) - len(shown.Invitations)
	return shown
}
