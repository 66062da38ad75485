package moderation

import (
	"strconv"

	"litfass/pkg/chassis/fault"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

func showMails(r *page.Request) error {
	found, err := r.Admin().UndeliveredMails(view.Paged(r.Query))
	if err != nil {
		return err
	}
	pager := view.Pager{Page: found.Page, Path: root + "/" + tabMails, Query: r.Query}
	return Show(r, tabMails, mails(r, found.Mails, pager))
}

// retryMail has a mail sent once more.
func retryMail(r *page.Request) error {
	return changeMail(r, r.Admin().RetryMail, "mail_retried")
}

// dropMail gives a mail up for good.
func dropMail(r *page.Request) error { return changeMail(r, r.Admin().DropMail, "mail_dropped") }

func changeMail(r *page.Request, change func(id int64) error, notice string) error {
	mail, err := strconv.ParseInt(r.Param("mail"), 10, 64)
	if err != nil || mail < 1 {
		return fault.New(fault.NotFound, "", "there is no such mail")
	}
	if err := change(mail); err != nil {
		return err
	}
	return r.Go(root+"/"+tabMails, notice)
}
