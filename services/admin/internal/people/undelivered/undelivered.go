// Package undelivered lets platform administrators see, retry and drop the mails that were given
// up.
package undelivered

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

// Service holds the use cases. Each returns a Forbidden fault to everyone but a platform
// administrator who is logged in.
type Service struct {
	DB  *postgres.DB
	Now auth.Clock
}

// List returns a page of the mails, the last given up first. It shows whole addresses, because an
// undelivered mail most often has a wrong one.
func (s Service) List(ctx context.Context, page paging.Page) (adminapi.UndeliveredMails, error) {
	list := adminapi.UndeliveredMails{Page: adminapi.Page{Limit: page.Limit, Offset: page.Offset}}
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return list, err
	}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) (err error) {
		list.Mails, list.TotalCount, err = mail.Undelivered(ctx, tx, page)
		return err
	})
	return list, err
}

// Retry queues a mail again, with all its attempts. It returns a NotFound fault for any other mail.
func (s Service) Retry(ctx context.Context, id int64) error {
	return s.change(ctx, "mail.retry", id, func(tx pgx.Tx) (template string, err error) {
		return mail.Retry(ctx, tx, id, s.Now())
	})
}

// Drop deletes a mail. It returns a NotFound fault for any other mail.
func (s Service) Drop(ctx context.Context, id int64) error {
	return s.change(ctx, "mail.drop", id, func(tx pgx.Tx) (template string, err error) {
		return mail.Drop(ctx, tx, id)
	})
}

// change runs a change and records it, without the mail's address.
func (s Service) change(ctx context.Context, action string, id int64, run func(tx pgx.Tx) (template string, err error)) error {
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		template, err := run(tx)
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: s.Now(), Action: action, EntityKind: "mail", EntityID: strconv.FormatInt(id, 10),
			After: map[string]any{"template": template},
		})
	})
}
