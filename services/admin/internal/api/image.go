package api

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/version"
)

// maxImage is the maximum size of the file of an image.
const maxImage = adminapi.MaxImageBytes

// imageFields are the texts of the form of an image.
var imageFields = []string{
	"alt_text", "description", "license", "creator_name", "copyright", "focus_x", "focus_y", "ai_generated",
}

func metaOf(m rules.Image) adminapi.ImageMeta {
	return adminapi.ImageMeta{
		UUID: value.Text(m.UUID), Identifier: m.Identifier,
		MimeType: value.Text(m.MimeType), Width: &m.Width, Height: &m.Height,
		AltText: m.AltText, Description: m.Description, License: m.License, CreatorName: m.CreatorName,
		Copyright: m.Copyright, FocusX: m.FocusX, FocusY: m.FocusY, AIGenerated: &m.AIGenerated,
	}
}

// pictures has the handlers of the operations on the images of the entities of one kind.
type pictures[E rules.Pictured] struct {
	editing.Gallery[E]
	key   string                                   // the path parameter that names the entity
	place func(c *fiber.Ctx, p *parameters) string // returns the identifier of the image
}

func picturesOfEvents(images *editing.Images) pictures[*rules.Event] {
	return pictures[*rules.Event]{images.OfEvents(), "eventId", func(c *fiber.Ctx, p *parameters) string {
		return p.imageIdentifier(c.Params("imageIndex"), "imageIndex")
	}}
}

// mainImage is the place of the image of a series, which has one only, and of the teaser of an
// event.
func mainImage(*fiber.Ctx, *parameters) string { return rules.MainImage }

func (r pictures[E]) show(c *fiber.Ctx) error {
	p := parametersOf(c)
	key, identifier := p.uuid(r.key), r.place(c, p)
	if err := p.err(); err != nil {
		return err
	}
	found, err := r.Find(c.UserContext(), key, identifier)
	if err != nil {
		return err
	}
	meta := adminapi.ImageMeta{Identifier: identifier}
	if found.Answer != nil {
		meta = metaOf(*found.Answer)
	}
	return sendVersion(c, found.Version, meta)
}

// put stores the file in the field "image", if there is one, and its texts in the other fields.
// Without a file absent fields are left unchanged; with one they are cleared, since they described
// another image.
func (r pictures[E]) put(c *fiber.Ctx) error { return r.write(c, false) }

func (r pictures[E]) write(c *fiber.Ctx, needsFile bool) error {
	p := parametersOf(c)
	identifier := r.place(c, p)
	at := editing.Target{Key: p.uuid(r.key), Expected: expected(c)}
	if err := p.err(); err != nil {
		return err
	}
	if err := r.CheckEdit(c.UserContext(), at); err != nil {
		return err
	}
	form, err := readForm(c, "image", maxImage, imageFields...)
	if err != nil {
		return naming("image", err)
	}
	texts := form.imageTexts()
	if needsFile {
		err = form.mustHold("image")
	} else {
		err = form.bad.Err("invalid_body", "the form is not what this operation reads")
	}
	if err != nil {
		return err
	}
	edit := func(_ E, m *rules.Image) { texts(m) }
	var stored editing.Versioned[editing.StoredImage]
	if form.file == nil {
		stored, err = r.Describe(c.UserContext(), at, identifier, edit)
	} else {
		stored, err = r.Put(c.UserContext(), at, identifier, form.file, edit)
	}
	if err != nil {
		return naming("image", ofImage(err))
	}
	return sendStoredImage(c, stored)
}

// putTeaserImage stores a file as the main image.
func (r Catalogue) putTeaserImage(c *fiber.Ctx) error {
	teaser := picturesOfEvents(r.Images)
	teaser.place = mainImage
	return teaser.write(c, true)
}

func sendStoredImage(c *fiber.Ctx, stored editing.Versioned[editing.StoredImage]) error {
	c.Set(fiber.HeaderETag, version.Tag(stored.Version))
	if stored.Answer.Created {
		c.Status(http.StatusCreated)
	}
	return c.JSON(adminapi.WrittenImage{
		Done: done("image stored"), ImageUUID: stored.Answer.UUID, ReplacedUUID: value.Text(stored.Answer.Replaced),
		ImageMeta: metaOf(stored.Answer.Image),
	})
}

// imageTexts returns the edit by the texts of a form, and adds violations for invalid values. An
// empty text clears a field.
func (f *form) imageTexts() func(*rules.Image) {
	focusX, focusY, generated := f.share("focus_x"), f.share("focus_y"), f.flag("ai_generated")
	return func(m *rules.Image) {
		for name, field := range map[string]*value.Text{
			"alt_text": &m.AltText, "description": &m.Description, "license": &m.License,
			"creator_name": &m.CreatorName, "copyright": &m.Copyright,
		} {
			if text, given := f.values[name]; given {
				*field = value.Text(text)
			}
		}
		if _, given := f.values["focus_x"]; given {
			m.FocusX = focusX
		}
		if _, given := f.values["focus_y"]; given {
			m.FocusY = focusY
		}
		if _, given := f.values["ai_generated"]; given {
			m.AIGenerated = generated
		}
	}
}

// flag returns whether something holds by a form; an empty value says that it does not.
func (f *form) flag(name string) bool {
	switch strings.TrimSpace(f.values[name]) {
	case "true":
		return true
	case "", "false":
	default:
		f.bad.Add(name, reason.NotBoolean)
	}
	return false
}

// share returns a number of a form, with a decimal point or comma; nil when it is empty or absent.
func (f *form) share(name string) *float64 {
	text := strings.TrimSpace(f.values[name])
	if text == "" {
		return nil
	}
	number, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil || !(number >= 0 && number <= 1) {
		f.bad.Add(name, reason.NotNumberBetween(0, 1))
		return nil
	}
	return &number
}

// ofImage renames the fields of violations from paths in an event or a series to fields of the
// form.
func ofImage(err error) error {
	var found *fault.Fault
	if !errors.As(err, &found) || len(found.Violations) == 0 {
		return err
	}
	named := *found
	named.Violations = nil
	for _, violation := range found.Violations {
		if rest, inList := strings.CutPrefix(violation.Field, "images["); inList {
			_, violation.Field, _ = strings.Cut(rest, "].")
		}
		violation.Field = strings.TrimPrefix(violation.Field, "image.")
		named.Violations = append(named.Violations, violation)
	}
	return &named
}

// removeImages removes the image at ?index=, or all of them.
func (r Catalogue) removeImages(c *fiber.Ctx) error {
	p := parametersOf(c)
	at, identifier := editing.Target{Key: p.uuid("eventId"), Expected: expected(c)}, ""
	if index := c.Query("index"); index != "" {
		identifier = p.imageIdentifier(index, "index")
	}
	if err := p.err(); err != nil {
		return err
	}
	removed, err := r.Images.OfEvents().Remove(c.UserContext(), at, identifier)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderETag, version.Tag(removed.Version))
	return c.JSON(adminapi.DeletedImages{Done: done("image deleted"), EventUUID: at.Key})
}

// imageIdentifier returns the identifier of the image at an index.
func (p *parameters) imageIdentifier(text, name string) string {
	index, err := strconv.Atoi(text)
	if err != nil || index < 1 || index > rules.MaxImages || text[0] == '+' {
		p.bad.Add(name, reason.NotIntegerBetween(1, rules.MaxImages))
		return ""
	}
	return rules.ImageIdentifier(index)
}
