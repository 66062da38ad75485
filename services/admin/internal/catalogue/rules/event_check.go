package rules

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/valueset"
)

// MainImage is the identifier of the image that represents its event.
const MainImage = "main"

// The maximum numbers of parts of an event.
const (
	MaxDates = 1_000

	maxDateRules = 50
	maxTypes     = 50 // also categories and ticket flags
	maxLanguages = 50
	maxTags      = 100
	maxTariffs   = 50
	maxLinks     = 50
	maxPrice     = 99_999_999.999
	maxPixels    = 100_000
)

// imageIdentifiers are the results of ImageIdentifier in order.
var imageIdentifiers = []string{
	MainImage, "gallery_1", "gallery_2", "gallery_3", "gallery_4", "gallery_5", "gallery_6", "gallery_7",
}

var imageMimeType = regexp.MustCompile(`^image/[a-z0-9.+-]{1,50}$`)

// Validate returns every value that breaks a rule. Events of a public status must also meet the
// rules of releasing.
func (e *Event) Validate() fault.Violations {
	c := newChecker()
	e.checkTexts(c)
	e.checkPlace(c)
	e.checkAudience(c)
	e.checkPrice(c)
	c.tariffs(e.Tariffs, e.PriceType)
	e.checkDerived(c)
	e.checkSubject(c)
	e.checkLinks(c)
	e.checkContributors(c)
	e.checkImages(c)
	e.checkSeries(c)
	e.checkTranslations(c)
	e.checkDates(c)
	e.checkDateRules(c)
	e.checkRelease(c)
	return *c.violations
}

func (e *Event) checkTexts(c checker) {
	c.uuid("uuid", e.UUID)
	c.uuid("org_uuid", e.OrgUUID)
	c.text("title", e.Title, adminapi.MaxTitle)
	c.text("subtitle", string(e.Subtitle), adminapi.MaxTitle)
	c.text("summary", string(e.Summary), adminapi.MaxText)
	c.text("description", string(e.Description), adminapi.MaxDescription)
	c.text("participation_info", string(e.ParticipationInfo), adminapi.MaxText)
	c.text("meeting_point", string(e.MeetingPoint), adminapi.MaxTitle)
	c.url("online_link", string(e.OnlineLink))
	c.url("source_link", string(e.SourceLink))
	if c.url("video_link", string(e.VideoLink)); strings.HasPrefix(string(e.VideoLink), "http://") {
		c.bad("video_link", reason.NotHTTPS)
	}
}

func (e *Event) checkPlace(c checker) {
	c.reference("venue_uuid", string(e.VenueUUID))
	c.reference("space_uuid", string(e.SpaceUUID))
	if e.SpaceUUID != "" && e.VenueUUID == "" {
		c.bad("space_uuid", reason.VenueRequired)
	}
}

func (e *Event) checkAudience(c checker) {
	c.number("min_age", e.MinAge, 0, adminapi.MaxAge)
	c.number("max_age", e.MaxAge, 0, adminapi.MaxAge)
	if e.MinAge != nil && e.MaxAge != nil && *e.MaxAge < *e.MinAge {
		c.bad("max_age", reason.Below("min_age"))
	}
	c.number("max_attendees", e.MaxAttendees, 1, adminapi.MaxAttendees)
}

func (e *Event) checkPrice(c checker) {
	if !valueset.Has(change.LookupPriceTypes, e.PriceType) {
		c.bad("price_type", reason.NotInSet("price-types"))
	}
	c.item("currency", change.LookupCurrencies, string(e.Currency))
	c.price("min_price", e.MinPrice, e.PriceType)
	c.price("max_price", e.MaxPrice, e.PriceType)
	if e.MinPrice != nil && e.MaxPrice != nil && *e.MaxPrice < *e.MinPrice {
		c.bad("max_price", reason.Below("min_price"))
	}
	if e.Currency == "" && len(e.Tariffs) == 0 && (e.MinPrice != nil || e.MaxPrice != nil) { // else it is theirs
		c.bad("currency", reason.CurrencyRequired)
	}
}

func (c checker) price(field string, price *float64, priceType string) {
	switch {
	case price == nil:
	case !(*price >= 0 && *price <= maxPrice): // NaN too
		c.bad(field, reason.NotBetween(0, maxPrice))
	case math.Round(*price*1_000)/1_000 != *price:
		c.bad(field, reason.TooManyDecimals)
	case priceType == PriceFree && *price > 0:
		c.bad(field, reason.AboveZeroButFree)
	}
}

func (e *Event) checkSubject(c checker) {
	for i, id := range e.Categories {
		if !valueset.HasNumber(change.LookupCategories, id) {
			c.at("categories", i).bad("", reason.NotInSet("categories"))
		}
	}
	c.count("event_types", len(e.EventTypes), maxTypes)
	c.count("categories", len(e.Categories), maxTypes)
	c.count("ticket_flags", len(e.TicketFlags), maxTypes)
	for i, t := range e.EventTypes {
		at := c.at("event_types", i)
		if !valueset.HasNumber(change.LookupEventTypes, t.TypeID) {
			at.bad("type_id", reason.NotInSet("event-types"))
		} else if !valueset.HasGenre(t.TypeID, t.GenreID) {
			at.bad("genre_id", reason.GenreOfOtherType(t.TypeID))
		}
	}
	c.count("languages", len(e.Languages), maxLanguages)
	for i, code := range e.Languages {
		if !valueset.Has(change.LookupLanguages, code) {
			c.at("languages", i).bad("", reason.NotInSet("languages"))
		}
	}
	c.count("tags", len(e.Tags), maxTags)
	for i, tag := range e.Tags {
		c.at("tags", i).required("", tag, adminapi.MaxTag)
	}
	c.count("labels", len(e.Labels), adminapi.MaxLabels)
	for i, label := range e.Labels {
		if !slugPattern.MatchString(label) {
			c.at("labels", i).bad("", reason.NotSlug)
		}
	}
	if !valueset.HasNumber(change.LookupEventOccasions, e.Occasion) {
		c.bad("occasion", reason.NotInSet("event-occasions"))
	}
}

func (c checker) count(field string, count, limit int) {
	if count > limit {
		c.bad(field, reason.TooMany(limit))
	}
}

func (e *Event) checkLinks(c checker) {
	for i, flag := range e.TicketFlags {
		if !slices.Contains(ticketFlags, flag) {
			c.at("ticket_flags", i).bad("", reason.NotInSet("ticket-flags"))
		}
	}
	c.count("event_links", len(e.EventLinks), maxLinks)
	seen := map[string]bool{}
	for i := range e.EventLinks {
		link, at := &e.EventLinks[i], c.at("event_links", i)
		link.check(at)
		if link.UUID != "" && seen[link.UUID] {
			at.bad("uuid", reason.Duplicate(reason.WordLink))
		}
		seen[link.UUID] = true
	}
}

func (e *Event) checkImages(c checker) {
	uuids, places := map[string]bool{}, map[string]bool{}
	for i := range e.Images {
		m, at := &e.Images[i], c.at("images", i)
		m.check(at, imageIdentifiers)
		if uuids[m.UUID] {
			at.bad("uuid", reason.Duplicate(reason.WordImage))
		}
		if places[m.Identifier] {
			at.bad("identifier", reason.Duplicate(reason.WordImage))
		}
		uuids[m.UUID], places[m.Identifier] = true, true
	}
}

func (m *Image) check(c checker, identifiers []string) {
	c.uuid("uuid", m.UUID)
	if !slices.Contains(identifiers, m.Identifier) {
		c.bad("identifier", reason.NotOneOf(identifiers))
	}
	if !imageMimeType.MatchString(m.MimeType) {
		c.bad("mime_type", reason.NotImageType)
	}
	c.number("width", &m.Width, 1, maxPixels)
	c.number("height", &m.Height, 1, maxPixels)
	c.text("alt_text", string(m.AltText), adminapi.MaxTitle)
	c.text("description", string(m.Description), adminapi.MaxText)
	c.item("license", change.LookupLicenses, string(m.License))
	c.text("creator_name", string(m.CreatorName), adminapi.MaxName)
	c.text("copyright", string(m.Copyright), adminapi.MaxName)
	if (m.FocusX == nil) != (m.FocusY == nil) {
		c.bad("focus_y", reason.PartnerRequired("focus_x"))
	}
	c.share("focus_x", m.FocusX)
	c.share("focus_y", m.FocusY)
}

func (c checker) share(field string, share *float64) {
	if share != nil && !(*share >= 0 && *share <= 1) { // NaN too
		c.bad(field, reason.NotBetween(0, 1))
	}
}

func (e *Event) checkDates(c checker) {
	c.count("dates", len(e.Dates), MaxDates)
	seen, withHours, tariffs := make(map[string]bool, len(e.Dates)), 0, 0
	for i := range e.Dates {
		d, at := &e.Dates[i], c.at("dates", i)
		d.check(at)
		if !d.Hours.Empty() {
			withHours++
		}
		if tariffs += len(d.Tariffs); len(d.Tariffs) > 0 && len(d.Tariffs) <= maxTariffs {
			at.count("tariffs", tariffs, adminapi.MaxDateTariffs)
		}
		if seen[d.UUID] {
			at.bad("uuid", reason.Duplicate(reason.WordDate))
		}
		seen[d.UUID] = true
	}
	c.count("dates", withHours, adminapi.MaxDatesWithHours)
}

// checkRelease checks the requirements of a public event (RULES.md, Release status).
func (e *Event) checkRelease(c checker) {
	if !KnownStatus(e.ReleaseStatus) {
		c.bad("release_status", reason.NotOneOf([]string{"draft", "review", "released", "cancelled", "deferred", "rescheduled"}))
	}
	c.text("status_note", string(e.StatusNote), adminapi.MaxReason)
	c.second("status_changed_at", string(e.StatusChangedAt))
	if e.ReleaseDate != nil && (e.ReleaseDate.Year() < minYear || e.ReleaseDate.Year() > maxYear) {
		c.bad("release_date", reason.NotBetween(float64(minYear), float64(maxYear)))
	}
	if !PublicStatus(e.ReleaseStatus) {
		return
	}
	for _, missing := range e.Missing() {
		if missing.Required != nil {
			c.bad(missing.Field, missing.Required)
		}
	}
}
