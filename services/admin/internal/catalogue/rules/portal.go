package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/language"
	"litfass/services/admin/internal/catalogue/valueset"
)

const (
	maxFilterValues = 200   // of one parameter of a portal's filter
	maxSelected     = 1_000 // organizations, venues or events in a list of a portal
	maxPattern      = adminapi.MaxName + len("**")
	maxRadius       = 1e9 // metres, as in the search
)

// Normalize brings every value into its stored form.
func (p *Portal) Normalize() {
	cleanLower(&p.UUID, &p.Slug)
	cleanLower(&p.OrgUUID)
	cleanLines(&p.Name)
	for i := range p.Titles {
		cleanLower(&p.Titles[i].Language)
		cleanLines(&p.Titles[i].Title)
	}
	p.Titles = orEmpty(p.Titles)
	p.Languages = withoutRepeats(orEmpty(lowered(p.Languages)), func(code string) string { return code })
	cleanLower(&p.Look.Accent, &p.Look.AccentDark)
	normalizeFilter(&p.Filter)
	for _, list := range []*adminapi.PortalSelection{&p.Include, &p.Exclude} {
		for _, uuids := range []*[]string{&list.OrgUUIDs, &list.VenueUUIDs, &list.EventUUIDs} {
			*uuids = orEmpty(ordered(lowered(*uuids)))
		}
	}
}

// normalizeFilter orders lists, which are sets, and makes empty ones nil.
func normalizeFilter(f *adminapi.PortalFilter) {
	for _, texts := range []*[]string{&f.Tags, &f.PostalCode} {
		for i := range *texts {
			cleanLines(&(*texts)[i])
		}
		*texts = ordered(*texts)
	}
	for _, codes := range []*[]string{
		&f.Label, &f.Languages, &f.PriceTypes, &f.ReleaseStatuses, &f.SpaceTypes, &f.OrgUUIDs, &f.VenueUUIDs, &f.SpaceUUIDs,
		&f.SeriesUUIDs, &f.Contributor,
	} {
		*codes = ordered(lowered(*codes))
	}
	for i := range f.Countries {
		cleanUpper(&f.Countries[i])
	}
	f.Countries = ordered(f.Countries)
	for _, numbers := range []*[]int{&f.Categories, &f.EventTypes, &f.Genres, &f.Accessibility, &f.VisitorInfos} {
		*numbers = ordered(*numbers)
	}
	cleanLines(&f.Title, &f.Venue, &f.City, &f.Age, &f.Price, &f.GeolistRegion)
}

func lowered(texts []string) []string {
	for i := range texts {
		cleanLower(&texts[i])
	}
	return texts
}

// ordered returns the distinct elements in order; nil of none.
func ordered[T int | string](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// Validate returns every value that breaks a rule.
func (p *Portal) Validate() fault.Violations {
	c := newChecker()
	c.uuid("uuid", p.UUID)
	c.reference("org_uuid", string(p.OrgUUID))
	c.slug("slug", p.Slug)
	c.required("name", p.Name, adminapi.MaxName)
	c.visible("name", p.Name)
	titles := p.Titles
	if len(titles) > len(language.Codes) {
		c.bad("titles", reason.TooMany(len(language.Codes)))
		titles = nil
	}
	seen := map[string]bool{}
	for i, title := range titles {
		at := c.at("titles", i)
		at.siteLanguage("language", title.Language)
		if seen[title.Language] {
			at.bad("language", reason.GivenTwice)
		}
		seen[title.Language] = true
		at.required("title", title.Title, adminapi.MaxName)
		at.visible("title", title.Title)
	}
	for i, code := range p.Languages {
		c.at("languages", i).siteLanguage("", code)
	}
	c.colour("look.accent", string(p.Look.Accent), lightGround)
	c.colour("look.accent_dark", string(p.Look.AccentDark), darkGround)
	c.filter(p.Filter)
	c.selection("include", p.Include)
	c.selection("exclude", p.Exclude)
	return *c.violations
}

func (c checker) siteLanguage(field, code string) {
	if !slices.Contains(language.Codes, code) {
		c.bad(field, reason.NotOneOf(language.Codes))
	}
}

func (c checker) selection(field string, s adminapi.PortalSelection) {
	c.uuids(field+".org_uuids", s.OrgUUIDs, maxSelected)
	c.uuids(field+".venue_uuids", s.VenueUUIDs, maxSelected)
	c.uuids(field+".event_uuids", s.EventUUIDs, maxSelected)
}

func (c checker) uuids(field string, uuids []string, most int) {
	if len(uuids) > most {
		c.bad(field, reason.TooMany(most))
		return
	}
	for i, uuid := range uuids {
		c.at(field, i).uuid("", uuid)
	}
}

// filter checks that the search takes the parameters, and that their values exist where the values
// are fixed.
func (c checker) filter(f adminapi.PortalFilter) {
	c.numbered("filter.categories", change.LookupCategories, f.Categories)
	c.numbered("filter.event_types", change.LookupEventTypes, f.EventTypes)
	c.each("filter.genres", f.Genres, reason.UnknownReference(reason.WordGenre), func(genre int) bool {
		return valueset.HasNumber(change.LookupEventGenres, genre)
	})
	if len(f.EventTypes) > 0 && len(f.Genres) > 0 {
		c.bad("filter.genres", reason.NotTogether("event_types"))
	}
	c.each("filter.accessibility", f.Accessibility, reason.NotIntegerBetween(0, maxBit), isBit)
	c.each("filter.visitor_infos", f.VisitorInfos, reason.NotIntegerBetween(0, maxBit), isBit)
	c.items("filter.languages", change.LookupLanguages, f.Languages)
	c.items("filter.countries", change.LookupCountries, f.Countries)
	c.items("filter.price_types", change.LookupPriceTypes, f.PriceTypes)
	c.items("filter.space_types", change.LookupSpaceTypes, f.SpaceTypes)
	if c.few("filter.release_statuses", len(f.ReleaseStatuses)) {
		for i, status := range f.ReleaseStatuses {
			if !PublicStatus(status) {
				c.at("filter.release_statuses", i).bad("", reason.NotPublicStatus)
			}
		}
	}
	if c.few("filter.tags", len(f.Tags)) {
		for i, tag := range f.Tags {
			c.at("filter.tags", i).required("", tag, adminapi.MaxName)
		}
	}
	if c.few("filter.label", len(f.Label)) {
		for i, key := range f.Label {
			c.at("filter.label", i).slug("", key)
		}
	}
	if c.few("filter.postal_code", len(f.PostalCode)) {
		for i, code := range f.PostalCode {
			c.at("filter.postal_code", i).required("", code, maxPattern)
			c.at("filter.postal_code", i).pattern("", code)
		}
	}
	c.pattern("filter.title", f.Title)
	c.pattern("filter.venue", f.Venue)
	c.pattern("filter.city", f.City)
	c.uuids("filter.org_uuids", f.OrgUUIDs, maxFilterValues)
	c.uuids("filter.venue_uuids", f.VenueUUIDs, maxFilterValues)
	c.uuids("filter.space_uuids", f.SpaceUUIDs, maxFilterValues)
	c.uuids("filter.series_uuids", f.SeriesUUIDs, maxFilterValues)
	c.uuids("filter.contributor", f.Contributor, maxFilterValues)
	c.visitors(f)
	c.area(f)
}

func (c checker) few(field string, values int) bool {
	if values > maxFilterValues {
		c.bad(field, reason.TooMany(maxFilterValues))
		return false
	}
	return true
}

func (c checker) items(field, lookup string, keys []string) {
	if !c.few(field, len(keys)) {
		return
	}
	for i, key := range keys {
		if key == "" {
			c.at(field, i).bad("", reason.Required)
		}
		c.at(field, i).item("", lookup, key)
	}
}

func (c checker) numbered(field, lookup string, ids []int) {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = strconv.Itoa(id)
	}
	c.items(field, lookup, keys)
}

// each checks the values of a list of numbers.
func (c checker) each(field string, values []int, why *reason.Reason, valid func(int) bool) {
	if !c.few(field, len(values)) {
		return
	}
	for i, value := range values {
		if !valid(value) {
			c.at(field, i).bad("", why)
		}
	}
}

const maxBit = 63

func isBit(n int) bool { return n >= 0 && n <= maxBit }

// pattern checks an optional text that may begin and end with an asterisk.
func (c checker) pattern(field, text string) {
	c.text(field, text, maxPattern)
	inner, opens := strings.CutPrefix(text, "*")
	inner, ends := strings.CutSuffix(inner, "*")
	if (opens || ends) && len(document.StartKey(inner)) > document.MaxPatternBytes {
		c.bad(field, reason.PatternTooLong(document.MaxPatternBytes-1))
	}
}

var (
	agePattern   = regexp.MustCompile(`^([0-9]{1,3})(?:,([0-9]{1,3}))?$`)
	pricePattern = regexp.MustCompile(`^(free|donation|[0-9]{1,9}(\.[0-9]{1,20})?,[A-Za-z]{3})$`)
)

const maxFilterAge = 999 // as in the search

func (c checker) visitors(f adminapi.PortalFilter) {
	if f.Age != "" {
		parts := agePattern.FindStringSubmatch(f.Age)
		if parts == nil || parts[2] != "" && atoi(parts[2]) < atoi(parts[1]) {
			c.bad("filter.age", reason.NotAge(maxFilterAge))
		}
	}
	if f.Price != "" && !pricePattern.MatchString(f.Price) {
		c.bad("filter.price", reason.NotPrice)
	}
}

// atoi returns the number of up to three digits.
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// area checks the circle, which needs all three of its parts, and the region.
func (c checker) area(f adminapi.PortalFilter) {
	c.degrees("filter.lat", f.Lat, 90)
	c.degrees("filter.lon", f.Lon, 180)
	if f.Radius != nil && !(*f.Radius >= 0 && *f.Radius <= maxRadius) { // NaN too
		c.bad("filter.radius", reason.NotBetween(0, maxRadius))
	}
	if given := f.Lat != nil || f.Lon != nil || f.Radius != nil; given {
		for field, value := range map[string]*float64{"lat": f.Lat, "lon": f.Lon, "radius": f.Radius} {
			if value == nil {
				c.bad("filter."+field, reason.Required)
			}
		}
	}
	if f.GeolistRegion == "" {
		return
	}
	slugs := strings.Split(f.GeolistRegion, ",")
	for _, slug := range slugs {
		if len(slugs) != 3 || !slugPattern.MatchString(slug) {
			c.bad("filter.geolist_region", reason.NotRegion)
			return
		}
	}
}
