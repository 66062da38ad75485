package api

import (
	"net/http"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/webhook"
	"litfass/services/admin/internal/platform/version"
)

// webhookTypesPath is the path of the types of notifications, which everybody may read.
const webhookTypesPath = "/api/webhooks/event-types"

// Webhooks are the operations on webhooks.
type Webhooks struct{ Service *webhook.Service }

// Mount adds the operations to the router of Prefix, which knows the principal of each request.
func (w Webhooks) Mount(admin fiber.Router) {
	admin.Get("/organization/:organizationId/webhooks", w.list(false))
	admin.Post("/organization/:organizationId/webhooks", w.create(false))
	admin.Get("/user/webhooks", w.list(true))
	admin.Post("/user/webhooks", w.create(true))
	admin.Get("/webhooks", w.list(false))
	admin.Post("/webhooks", w.create(false))
	admin.Get("/webhook/:webhookId", w.get)
	admin.Put("/webhook/:webhookId", w.update)
	admin.Delete("/webhook/:webhookId", w.remove)
	admin.Post("/webhook/:webhookId/secret", w.rotate)
	admin.Post("/webhook/:webhookId/test", w.test)
	admin.Get("/webhook/:webhookId/deliveries", w.deliveries)
	admin.Post("/webhook/:webhookId/delivery/:deliveryNumber/repeat", w.repeat)
}

func mountWebhookTypes(router fiber.Router) {
	types, err := webhook.Types()
	if err != nil {
		panic(err) // a programming error
	}
	router.Get(webhookTypesPath, func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderCacheControl, "public, max-age=3600")
		return c.JSON(types)
	})
}

// webhookOwner returns the organization of a path that has one, else "".
func webhookOwner(p *parameters) string {
	if p.c.Params("organizationId") == "" {
		return ""
	}
	return p.uuid("organizationId")
}

func (w Webhooks) list(personal bool) fiber.Handler {
	return func(c *fiber.Ctx) error {
		p := parametersOf(c)
		org, page := webhookOwner(p), p.page()
		if err := p.err(); err != nil {
			return err
		}
		shown, err := w.Service.List(c.UserContext(), org, personal, page)
		if err != nil {
			return err
		}
		return c.JSON(shown)
	}
}

func (w Webhooks) create(personal bool) fiber.Handler {
	return func(c *fiber.Ctx) error {
		p := parametersOf(c)
		org := webhookOwner(p)
		if err := p.err(); err != nil {
			return err
		}
		body, err := readPatch[adminapi.WebhookEdit](c, smallBody)
		if err != nil {
			return err
		}
		if err := w.Service.May(c.UserContext(), org, personal); err != nil {
			return err
		}
		if err := body.refuseAll(nil); err != nil {
			return err
		}
		hook, secret, err := w.Service.Create(c.UserContext(), org, personal, func(edit *adminapi.WebhookEdit) { body.apply(edit) })
		if err != nil {
			return err
		}
		c.Status(http.StatusCreated)
		return sendSecret(c, "webhook created; its secret is shown this once", hook, secret)
	}
}

func sendSecret(c *fiber.Ctx, text string, hook adminapi.Webhook, secret string) error {
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderETag, version.Tag(hook.Version))
	return c.JSON(adminapi.SecretWebhook{Done: done(text), Secret: secret, Webhook: hook})
}

// webhookOf returns the uuid of the webhook of a path.
func webhookOf(c *fiber.Ctx) (string, error) {
	p := parametersOf(c)
	id := p.uuid("webhookId")
	return id, p.err()
}

func (w Webhooks) get(c *fiber.Ctx) error {
	id, err := webhookOf(c)
	if err != nil {
		return err
	}
	hook, err := w.Service.Get(c.UserContext(), id)
	if err != nil {
		return err
	}
	return sendVersion(c, hook.Version, hook)
}

func (w Webhooks) update(c *fiber.Ctx) error {
	id, err := webhookOf(c)
	if err != nil {
		return err
	}
	body, err := readPatch[adminapi.WebhookEdit](c, smallBody)
	if err != nil {
		return err
	}
	if _, err := w.Service.Get(c.UserContext(), id); err != nil { // the right before the body
		return err
	}
	if err := body.refuseAll(nil); err != nil {
		return err
	}
	hook, err := w.Service.Update(c.UserContext(), id, expected(c),
		func(edit *adminapi.WebhookEdit) { body.apply(edit) })
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderETag, version.Tag(hook.Version))
	return c.JSON(adminapi.WrittenWebhook{Done: done("webhook stored"), Webhook: hook})
}

func (w Webhooks) remove(c *fiber.Ctx) error {
	id, err := webhookOf(c)
	if err != nil {
		return err
	}
	if err := w.Service.Delete(c.UserContext(), id); err != nil {
		return err
	}
	return c.JSON(adminapi.Deleted{Done: done("webhook deleted"), UUID: id})
}

func (w Webhooks) rotate(c *fiber.Ctx) error {
	id, err := webhookOf(c)
	if err != nil {
		return err
	}
	hook, secret, err := w.Service.Rotate(c.UserContext(), id)
	if err != nil {
		return err
	}
	return sendSecret(c, "secret created; it is shown this once", hook, secret)
}

func (w Webhooks) test(c *fiber.Ctx) error {
	id, err := webhookOf(c)
	if err != nil {
		return err
	}
	delivery, err := w.Service.Test(c.UserContext(), id)
	if err != nil {
		return err
	}
	c.Status(http.StatusAccepted)
	return c.JSON(adminapi.WrittenDelivery{Done: done("test is sent"), WebhookDelivery: delivery})
}

func (w Webhooks) deliveries(c *fiber.Ctx) error {
	p := parametersOf(c)
	id, page := p.uuid("webhookId"), p.page()
	if err := p.err(); err != nil {
		return err
	}
	shown, err := w.Service.Deliveries(c.UserContext(), id, page)
	if err != nil {
		return err
	}
	return c.JSON(shown)
}

// deliveryNumber returns the number of a delivery in a path.
func deliveryNumber(p *parameters) int64 {
	number, err := strconv.ParseUint(p.c.Params("deliveryNumber"), 10, 63)
	if err != nil || number == 0 {
		p.bad.Add("deliveryNumber", reason.NotAboveZero)
	}
	return int64(number)
}

func (w Webhooks) repeat(c *fiber.Ctx) error {
	p := parametersOf(c)
	id, delivery := p.uuid("webhookId"), deliveryNumber(p)
	if err := p.err(); err != nil {
		return err
	}
	shown, err := w.Service.Repeat(c.UserContext(), id, delivery)
	if err != nil {
		return err
	}
	c.Status(http.StatusAccepted)
	return c.JSON(adminapi.WrittenDelivery{Done: done("delivery is sent again"), WebhookDelivery: shown})
}
