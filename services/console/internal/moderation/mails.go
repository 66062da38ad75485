package moderation

import (
	"net/http"
	"strconv"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

func showMails(r *page.Request) error {
	var found adminapi.UndeliveredMails
	if _, err := r.Get("/api/admin/mails", view.Paged(r.Query), &found); err != nil {
		return err
	}
	pager := view.Pager{Page: found.Page, Path: root + "/" + tabMails, Query: r.Query}
	return show(r, tabMails, mails(r, found.Mails, pager))
}

// retryMail has a mail sent once more.
func retryMail(r *page.Request) error {
	return changeMail(r, http.MethodPost, "/retry", "mail_retried")
}

// dropMail gives a mail up for good.
func dropMail(r *page.Request) error { return changeMail(r, http.MethodDelete, "", "mail_dropped") }

func changeMail(r *page.Request, method, operation, notice string) error {
	mail, err := strconv.ParseInt(r.Param("mail"), 10, 64)
	if err != nil || mail < 1 {
		return fault.New(fault.NotFound, "", "there is no such mail")
	}
	if _, err := r.Send(method, "/api/admin/mails/"+strconv.FormatInt(mail, 10)+operation, "", nil, nil); err != nil {
		return err
	}
	return r.Go(root+"/"+tabMails, notice)
}
