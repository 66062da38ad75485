package api

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/oembed"
	"litfass/services/query/internal/params"
)

// oembed answers GET /oembed: the frame that other websites show in place of the address of a page.
// Unknown parameters are ignored: consumers send more than the format defines.
func (d Deps) oembed(c *fiber.Ctx) error {
	box, err := boxOf(c)
	if err != nil {
		return err
	}
	write, contentType := oembed.JSON, fiber.MIMEApplicationJSON
	format := strings.Clone(c.Query("format", "json"))
	switch format {
	case "json":
	case "xml":
		write, contentType = oembed.XML, "text/xml; charset=utf-8"
	default:
		return fault.New(fault.NotOffered, "", "the formats are json and xml")
	}
	target, found := oembed.Find(d.Site.URL, strings.Clone(c.Query("url")), d.today())
	if !found {
		return noPage()
	}
	question := []any{string(target.Kind), target.Filter.Encode(), format, box.MaxWidth, box.MaxHeight}
	return d.sendText(c, contentType, source{"oembed", question, recordsOf(target)}, func(ctx context.Context) ([]byte, error) {
		title, err := d.titleOf(ctx, target)
		if err != nil {
			return nil, err
		}
		return write(d.Site.URL, target, title, box)
	})
}

func noPage() error { return fault.New(fault.NotFound, "", "there is no page of ours at this address") }

// boxOf reads the maximum size of the frame.
func boxOf(c *fiber.Ctx) (box oembed.Box, err error) {
	var violations fault.Violations
	if c.Query("url") == "" {
		violations.Add("url", reason.Required)
	}
	for name, limit := range map[string]*int{"maxwidth": &box.MaxWidth, "maxheight": &box.MaxHeight} {
		text := c.Query(name)
		if text == "" {
			continue
		}
		n, ok := params.Integer(text)
		if !ok {
			violations.Add(name, reason.NotAboveZero)
		}
		*limit = n
	}
	return box, violations.Err("invalid_parameters", "the request has parameters that are not valid")
}

// subjects are the indexes of the subjects of pages.
var subjects = map[oembed.Kind]string{
	oembed.Event: document.Events, oembed.Venue: document.Venues, oembed.Organization: document.Organizations,
	oembed.Region: document.Regions,
}

// recordsOf returns the records that the answer about a page is made of; a list has none.
func recordsOf(t oembed.Target) cache.Records {
	switch index := subjects[t.Kind]; t.Kind {
	case oembed.List:
		return cache.Records{}
	case oembed.Region:
		return cache.AllRecords(index)
	default:
		return cache.Record(index, document.EntityID(t.ID))
	}
}

// titleOf returns the title of a page; "" for a list. The error is a NotFound fault when its
// subject is not public, or the engine's.
func (d Deps) titleOf(ctx context.Context, t oembed.Target) (string, error) {
	var view lists.View
	var err error
	switch t.Kind {
	case oembed.Event:
		view, err = d.Lists.Event(ctx, t.ID)
	case oembed.Venue:
		view, err = d.Lists.Venue(ctx, t.ID)
	case oembed.Organization:
		view, err = d.Lists.Organization(ctx, t.ID)
	case oembed.Region:
		return d.regionName(ctx, t.ID)
	default:
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var names struct{ Title, Name string }
	if err := json.Unmarshal(view, &names); err != nil {
		return "", fmt.Errorf("decode the name of a page: %w", err)
	}
	return names.Title + names.Name, nil
}

// regionName returns the name of a region by its slugs.
func (d Deps) regionName(ctx context.Context, slugs string) (string, error) {
	regions, err := d.Lists.Regions(ctx)
	if err != nil {
		return "", err
	}
	for _, region := range regions {
		if slugsOf(region) == slugs {
			return region.Name, nil
		}
	}
	return "", noPage()
}

func slugsOf(region publicapi.Region) string {
	return region.CountrySlug + "," + region.StateSlug + "," + region.RegionSlug
}
