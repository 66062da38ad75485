package source

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport"
	"litfass/services/admin/internal/platform/invisible"
	"litfass/services/admin/internal/platform/remote"
)

// clean normalizes a body and returns the Invalid fault that names its bad fields.
func clean(body *adminapi.SourceBody) error {
	var bad fault.Violations
	body.Name = invisible.Trim(body.Name)
	switch {
	case body.Name == "":
		bad.Add("name", reason.Required)
	case utf8.RuneCountInString(body.Name) > adminapi.MaxName:
		bad.Add("name", reason.TooLong(adminapi.MaxName))
	case strings.ContainsFunc(body.Name, unicode.IsControl):
		bad.Add("name", reason.ControlCharacters)
	}
	address, err := remote.Parse(string(body.Address))
	switch {
	case body.Address == "":
		bad.Add("address", reason.Required)
	case err != nil:
		bad = append(bad, fault.Of(err).Violations...)
	case len(address.String()) > adminapi.MaxURL:
		bad.Add("address", reason.TooLong(adminapi.MaxURL))
	default:
		if body.Format == adminapi.ImportLitfass || isFeed(address) {
			body.Format = adminapi.ImportLitfass
			address = feedOf(address)
		}
		body.Address = value.Text(address.String())
	}
	if body.IntervalMinutes < adminapi.MinSourceInterval || body.IntervalMinutes > adminapi.MaxSourceInterval {
		bad.Add("interval_minutes", reason.NotIntegerBetween(adminapi.MinSourceInterval, adminapi.MaxSourceInterval))
	}
	body.Format = cmp.Or(body.Format, "guess")
	body.Missing = cmp.Or(body.Missing, adminapi.MissingKeep)
	body.Defaults.ReleaseStatus = cmp.Or(body.Defaults.ReleaseStatus, "draft")
	if err := eventimport.CheckReading(importOf(*body)); err != nil {
		if !fault.Is(err, fault.Invalid) {
			return err
		}
		bad = append(bad, fault.Of(err).Violations...)
	}
	return bad.Err("invalid_source", "the source is not valid")
}

// importOf returns the choices of the imports of a source.
func importOf(body adminapi.SourceBody) adminapi.ImportBody {
	return adminapi.ImportBody{
		Format: body.Format, Mapping: body.Mapping, DateOrder: body.DateOrder, Defaults: body.Defaults, Venues: body.Venues,
		Kinds: body.Kinds, Missing: body.Missing,
	}
}

func settingsOf(body adminapi.SourceBody) settings {
	return settings{
		Format: body.Format, Mapping: body.Mapping, DateOrder: string(body.DateOrder), Defaults: body.Defaults, Venues: body.Venues,
		Kinds: body.Kinds, Missing: string(body.Missing),
	}
}

func (s settings) to(body *adminapi.SourceBody) {
	body.Format, body.Mapping, body.DateOrder, body.Defaults = s.Format, s.Mapping, value.Text(s.DateOrder), s.Defaults
	body.Venues, body.Kinds, body.Missing = s.Venues, s.Kinds, value.Text(s.Missing)
}
