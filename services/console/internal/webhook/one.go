package webhook

import (
	"net/http"
	"strconv"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/account"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// one is a webhook with a page of its log.
type one struct {
	hook   adminapi.Webhook
	log    adminapi.WebhookDeliveries
	form   form
	secret string // that was just made; "" for none
}

func (o one) path(part string) string { return page.Root + "/webhook/" + o.hook.UUID + part }

// back is the path of the list.
func (o one) back() string {
	switch o.hook.Owner {
	case adminapi.WebhookOfOrganization:
		return page.Root + "/organization/" + string(o.hook.OrgUUID) + "/webhooks"
	case adminapi.WebhookOfUser:
		return account.PageWebhooks
	}
	return page.Root + "/administration/webhooks"
}

// section is the part of the menu.
func (o one) section() string {
	switch o.hook.Owner {
	case adminapi.WebhookOfOrganization:
		return string(o.hook.OrgUUID)
	case adminapi.WebhookOfUser:
		return view.SectionAccount
	}
	return view.SectionAdministration
}

// ofOrg is the organization that owns the webhook, as far as forms need it; nil for none.
func (o one) ofOrg() *page.Organization {
	if o.hook.OrgUUID == "" {
		return nil
	}
	var org page.Organization
	org.UUID = string(o.hook.OrgUUID)
	return &org
}

// read reads the webhook of the address.
func read(r *page.Request) (one, error) {
	uuid, err := r.UUID("webhook")
	if err != nil {
		return one{}, err
	}
	hook, err := r.Admin().Webhook(uuid)
	return one{hook: hook, form: formOf(hook)}, err
}

func showOne(r *page.Request) error {
	o, err := read(r)
	if err != nil {
		return err
	}
	return show(r, o)
}

// show shows a webhook. A new secret is shown nowhere else, so that page comes also without the
// log.
func show(r *page.Request, o one) (err error) {
	if o.log, err = r.Admin().WebhookDeliveries(o.hook.UUID, view.Paged(r.Query)); err != nil && o.secret == "" {
		return err
	}
	return r.Show(view.Page{Title: o.hook.Name + " · " + r.Text.T("webhooks"), Section: o.section(), Content: single(r, o)})
}

func change(r *page.Request) error {
	o, err := read(r)
	if err != nil {
		return err
	}
	f := readForm(r)
	if err = r.Admin().ChangeWebhook(o.hook.UUID, f.fields(o.ofOrg(), o.hook.Filter)); err == nil {
		return r.Go(o.path(""), "saved")
	}
	if !view.Refusable(err) {
		return err
	}
	f.errors = errorsOf(err)
	r.Status(http.StatusUnprocessableEntity)
	o.form = f
	return show(r, o)
}

// activate switches a webhook on or off.
func activate(r *page.Request) error {
	o, err := read(r)
	if err != nil {
		return err
	}
	if err := r.Admin().ChangeWebhook(o.hook.UUID, map[string]any{"active": !o.hook.Active}); err != nil {
		return err
	}
	return r.Go(o.path(""), "saved")
}

func rotate(r *page.Request) error {
	o, err := read(r)
	if err != nil {
		return err
	}
	made, err := r.Admin().RotateWebhook(o.hook.UUID)
	if err != nil {
		return err
	}
	o.hook, o.secret = made.Webhook, made.Secret
	return show(r, o)
}

func test(r *page.Request) error {
	o, err := read(r)
	if err != nil {
		return err
	}
	if err := r.Admin().TestWebhook(o.hook.UUID); err != nil {
		return err
	}
	return r.Go(o.path("#log"), "webhook_tested")
}

func repeat(r *page.Request) error {
	o, err := read(r)
	if err != nil {
		return err
	}
	number, err := strconv.ParseInt(r.Param("delivery"), 10, 64)
	if err != nil || number < 1 {
		return fault.New(fault.NotFound, "", "there is no such delivery")
	}
	if err := r.Admin().RepeatDelivery(o.hook.UUID, number); err != nil {
		return err
	}
	return r.Go(o.path("#log"), "webhook_repeated")
}

func confirmDeletion(r *page.Request) error {
	o, err := read(r)
	if err != nil {
		return err
	}
	return r.Show(view.Page{Title: r.Text.T("webhook.delete"), Section: o.section(), Content: deletion(r.Text, o)})
}

func remove(r *page.Request) error {
	o, err := read(r)
	if err != nil {
		return err
	}
	if err := r.Admin().DeleteWebhook(o.hook.UUID); err != nil {
		return err
	}
	return r.Go(o.back(), "webhook_deleted")
}
