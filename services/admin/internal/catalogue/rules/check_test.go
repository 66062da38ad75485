package rules_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
)

const (
	orgID   = "01941f29-7c00-732c-9cdc-85ed10d491dd"
	venueID = "01941f29-7c00-7e92-981e-dbae75b42f04"
	spaceID = "01941f29-7c00-7bc4-938e-39d1a845e1a2"
	eventID = "01941f29-7c00-7103-9da4-4c93d714ebd0"
	dateID  = "01941f29-7c00-720c-a207-2e27bd550f0f"
	imageID = "01941f29-7c00-75e9-8803-8199a35dd6b9"
	oldID   = "7b0c8b2e-3c4d-4f5a-9b6c-7d8e9f0a1b2c" // version 4
)

func organization() *rules.Organization {
	return &rules.Organization{UUID: orgID, Name: "Kulturhaus"}
}

func venue() *rules.Venue {
	return &rules.Venue{UUID: venueID, OrgUUID: orgID, Name: "Alte Post"}
}

func space() *rules.Space {
	return &rules.Space{UUID: spaceID, VenueUUID: venueID, Name: "Saal"}
}

func event() *rules.Event {
	return &rules.Event{
		UUID: eventID, OrgUUID: orgID, VenueUUID: venueID, Title: "Konzert", ReleaseStatus: rules.StatusReleased,
		Dates: []rules.Date{{UUID: dateID, StartDate: "2026-11-20", StartTime: "19:30"}},
	}
}

func region() *rules.Region {
	return &rules.Region{
		CountrySlug: "deu", StateSlug: "sh", RegionSlug: "angeln", Name: "Angeln",
		Geometry: json.RawMessage(`{"type":"Polygon","coordinates":[[[9,54],[10,54],[10,55],[9,54]]]}`),
	}
}

func image() rules.Image {
	return rules.Image{UUID: imageID, Identifier: "main", MimeType: "image/webp", Width: 800, Height: 600}
}

func pointer[T any](v T) *T { return &v }

// fields are the fields that a check of the entity names.
func fields(e rules.Entity) []string {
	err := rules.Check(e)
	if err == nil {
		return nil
	}
	var named []string
	for _, violation := range fault.Of(err).Violations {
		named = append(named, violation.Field)
	}
	return named
}

// checks are changes to a valid entity, with the fields that are bad then.
type checks[E any] map[string]struct {
	change func(E)
	want   []string
}

func (c checks[E]) run(t *testing.T, valid func() E) {
	t.Helper()
	for name, test := range c {
		t.Run(name, func(t *testing.T) {
			entity := valid()
			test.change(entity)
			if got := fields(any(entity).(rules.Entity)); !slices.Equal(got, test.want) {
				t.Errorf("names %q, want %q", got, test.want)
			}
		})
	}
}

func TestCheckOrganization(t *testing.T) {
	checks[*rules.Organization]{
		"valid":                {func(*rules.Organization) {}, nil},
		"upper-case uuid":      {func(o *rules.Organization) { o.UUID = strings.ToUpper(o.UUID) }, nil},
		"other uuid version":   {func(o *rules.Organization) { o.UUID = oldID }, []string{"uuid"}},
		"braced uuid":          {func(o *rules.Organization) { o.UUID = "{" + orgID + "}" }, []string{"uuid"}},
		"no uuid, no name":     {func(o *rules.Organization) { o.UUID, o.Name = "", " \t" }, []string{"uuid", "name"}},
		"long name":            {func(o *rules.Organization) { o.Name = strings.Repeat("ß", 501) }, []string{"name"}},
		"longest name":         {func(o *rules.Organization) { o.Name = strings.Repeat("😀", 500) }, nil},
		"NUL":                  {func(o *rules.Organization) { o.Name = "a\x00b" }, []string{"name"}},
		"control character":    {func(o *rules.Organization) { o.City = "a\u0085b" }, []string{"city"}},
		"broken UTF-8":         {func(o *rules.Organization) { o.Street = "a\xffb" }, []string{"street"}},
		"unknown legal form":   {func(o *rules.Organization) { o.LegalForm = "secret" }, []string{"legal_form"}},
		"holds itself":         {func(o *rules.Organization) { o.HoldingOrgUUID = orgID }, []string{"holding_org_uuid"}},
		"no e-mail address":    {func(o *rules.Organization) { o.ContactEmail = "a b@c.de" }, []string{"contact_email"}},
		"name in e-mail":       {func(o *rules.Organization) { o.ContactEmail = "A <a@c.de>" }, []string{"contact_email"}},
		"e-mail":               {func(o *rules.Organization) { o.ContactEmail = "a+b@c.example" }, nil},
		"script link":          {func(o *rules.Organization) { o.WebLink = "javascript:alert(1)" }, []string{"web_link"}},
		"link without host":    {func(o *rules.Organization) { o.WebLink = "https:///path" }, []string{"web_link"}},
		"link with space":      {func(o *rules.Organization) { o.WebLink = "https://a.de/b c" }, []string{"web_link"}},
		"upper-case scheme":    {func(o *rules.Organization) { o.WebLink = "HTTPS://a.de/B" }, nil},
		"long link":            {func(o *rules.Organization) { o.WebLink = value.Text("https://a.de/" + strings.Repeat("b", 2048)) }, []string{"web_link"}},
		"unknown country":      {func(o *rules.Organization) { o.Country = "DE" }, []string{"country"}},
		"lower-case country":   {func(o *rules.Organization) { o.Country = "deu" }, nil},
		"state":                {func(o *rules.Organization) { o.Country, o.State = "DEU", "SH" }, nil},
		"state of another":     {func(o *rules.Organization) { o.Country, o.State = "DNK", "SH" }, []string{"state"}},
		"state's name":         {func(o *rules.Organization) { o.Country, o.State = "CAN", "Ontario" }, []string{"state"}},
		"state, no country":    {func(o *rules.Organization) { o.State = "SH" }, []string{"country"}},
		"half a point":         {func(o *rules.Organization) { o.Lon = pointer(9.4) }, []string{"lat"}},
		"point beyond a pole":  {func(o *rules.Organization) { o.Lat, o.Lon = pointer(90.1), pointer(9.4) }, []string{"lat"}},
		"point at NaN":         {func(o *rules.Organization) { o.Lat, o.Lon = pointer(1.0), pointer(math.NaN()) }, []string{"lon"}},
		"point at the corners": {func(o *rules.Organization) { o.Lat, o.Lon = pointer(-90.0), pointer(180.0) }, nil},
	}.run(t, organization)
}

func TestCheckVenue(t *testing.T) {
	checks[*rules.Venue]{
		"valid":              {func(*rules.Venue) {}, nil},
		"no organization":    {func(v *rules.Venue) { v.OrgUUID = "" }, []string{"org_uuid"}},
		"time zone":          {func(v *rules.Venue) { v.Timezone = "Europe/Berlin" }, nil},
		"unknown time zone":  {func(v *rules.Venue) { v.Timezone = "Europe/Flensburg" }, []string{"timezone"}},
		"local time zone":    {func(v *rules.Venue) { v.Timezone = "Local" }, []string{"timezone"}},
		"time zone by path":  {func(v *rules.Venue) { v.Timezone = "../../etc/passwd" }, []string{"timezone"}},
		"closed too early":   {func(v *rules.Venue) { v.OpenedAt, v.ClosedAt = "2020-01-02", "2020-01-01" }, []string{"closed_at"}},
		"no leap day":        {func(v *rules.Venue) { v.OpenedAt = "2023-02-29" }, []string{"opened_at"}},
		"long summary":       {func(v *rules.Venue) { v.Summary = value.Text(strings.Repeat("x", 10_001)) }, []string{"summary"}},
		"mask of every bit":  {func(v *rules.Venue) { v.AccessibilityFlags = pointer(value.Mask(math.MaxUint64)) }, nil},
		"ticket link":        {func(v *rules.Venue) { v.TicketLink = "ftp://a.de/" }, []string{"ticket_link"}},
		"disguised link":     {func(v *rules.Venue) { v.TicketLink = "https://known.example@a.de/" }, []string{"ticket_link"}},
		"lines in free text": {func(v *rules.Venue) { v.OpeningHours = "Mo\r\nDi\tMi" }, nil},
		"ids in registers":   {func(v *rules.Venue) { v.WikidataID, v.OSMID = " q64", "Way/123" }, nil},
		"no item":            {func(v *rules.Venue) { v.WikidataID, v.OSMID = "P31", "" }, []string{"wikidata_id"}},
		"no number":          {func(v *rules.Venue) { v.WikidataID, v.OSMID = "Q0", "way/0" }, []string{"wikidata_id", "osm_id"}},
		"no element":         {func(v *rules.Venue) { v.OSMID = "area/1" }, []string{"osm_id"}},
		"more than an id":    {func(v *rules.Venue) { v.WikidataID, v.OSMID = "Q1?a=b", "way/1/../2" }, []string{"wikidata_id", "osm_id"}},
		"page elsewhere":     {func(v *rules.Venue) { v.WikidataID = "https://wikidata.org.example/wiki/Q64" }, []string{"wikidata_id"}},
	}.run(t, venue)
}

// datesWithHours are some dates with opening hours, and others.
func datesWithHours(count int) []rules.Date {
	dates := manyDates(count + 10)
	for i := range dates[10:] {
		dates[10+i].Hours = rulestest.Hours()
	}
	return dates
}

// TestPagesOfRegisters: people copy the address of a page, of which the id is stored.
func TestPagesOfRegisters(t *testing.T) {
	for _, given := range [][2]value.Text{
		{"https://www.wikidata.org/wiki/Q64", "https://www.openstreetmap.org/relation/62422#map=10/52.5/13.4"},
		{" http://wikidata.org./entity/q64", "http://openstreetmap.org/relation/62422/"},
	} {
		v := venue()
		v.WikidataID, v.OSMID = given[0], given[1]
		v.Normalize()
		if bad := v.Validate(); len(bad) > 0 || v.WikidataID != "Q64" || v.OSMID != "relation/62422" {
			t.Errorf("%q become %q and %q: %v", given, v.WikidataID, v.OSMID, bad)
		}
	}
}

func TestCheckHours(t *testing.T) {
	weekly := func(v *rules.Venue, openings ...hours.Weekly) { v.Hours.Weekly = openings }
	valid := func() *rules.Venue {
		v := venue()
		v.Hours = rulestest.Hours()
		return v
	}
	checks[*rules.Venue]{
		"valid":      {func(*rules.Venue) {}, nil},
		"none":       {func(v *rules.Venue) { v.Hours = hours.Hours{} }, nil},
		"never open": {func(v *rules.Venue) { v.Hours.Weekly, v.Hours.Special = nil, nil }, []string{"hours.weekly"}},
		"upper case": {func(v *rules.Venue) { v.Hours.Weekly[0].Day = " TUE" }, nil},
		"all day":    {func(v *rules.Venue) { weekly(v, hours.Weekly{Day: "mon", From: "00:00", To: "00:00"}) }, nil},
		"no weekday": {func(v *rules.Venue) { v.Hours.Weekly[2].Day = "Samstag" }, []string{"hours.weekly[0].day"}}, // it is sorted
		"no times": {func(v *rules.Venue) { weekly(v, hours.Weekly{Day: "mon", From: "9:00"}) },
			[]string{"hours.weekly[0].to", "hours.weekly[0].from"}},
		"overlap": {func(v *rules.Venue) {
			weekly(v, hours.Weekly{Day: "mon", From: "11:00", To: "12:00"}, hours.Weekly{Day: "mon", From: "10:00", To: "11:01"})
		}, []string{"hours.weekly[1].from"}},
		"one after another": {func(v *rules.Venue) {
			weekly(v, hours.Weekly{Day: "mon", From: "11:00", To: "12:00"}, hours.Weekly{Day: "mon", From: "10:00", To: "11:00"})
		}, nil},
		"past midnight, then later": {func(v *rules.Venue) {
			weekly(v, hours.Weekly{Day: "mon", From: "11:00", To: "02:00"}, hours.Weekly{Day: "mon", From: "23:00", To: "23:30"})
		}, []string{"hours.weekly[1].from"}},
		"closed backwards":   {func(v *rules.Venue) { v.Hours.Closed[0].To = "2028-12-23" }, []string{"hours.closed[0].to"}},
		"closed when":        {func(v *rules.Venue) { v.Hours.Closed[0].From = "" }, []string{"hours.closed[0].from"}},
		"closed for one day": {func(v *rules.Venue) { v.Hours.Closed[0].To = "" }, nil},
		"closed for years":   {func(v *rules.Venue) { v.Hours.Closed[0].To = "2031-12-24" }, []string{"hours.closed"}},
		"special twice":      {func(v *rules.Venue) { v.Hours.Special[0].Date = "2028-12-31" }, []string{"hours.special[1].from"}},
		"no special day":     {func(v *rules.Venue) { v.Hours.Special[1].Date = "2028-02-30" }, []string{"hours.special[0].date"}},
		"long note":          {func(v *rules.Venue) { v.Hours.Special[0].Note = value.Text(strings.Repeat("x", 501)) }, []string{"hours.special[0].note"}},
		"too many":           {func(v *rules.Venue) { v.Hours.Special = make([]hours.Special, 201) }, []string{"hours.special"}},
	}.run(t, valid)
}

func TestCheckSpace(t *testing.T) {
	checks[*rules.Space]{
		"valid":             {func(*rules.Space) {}, nil},
		"unknown type":      {func(s *rules.Space) { s.SpaceType = "cellar" }, []string{"space_type"}},
		"type":              {func(s *rules.Space) { s.SpaceType = "Hall" }, nil},
		"negative capacity": {func(s *rules.Space) { s.TotalCapacity = pointer(-1) }, []string{"total_capacity"}},
		"capacity beyond":   {func(s *rules.Space) { s.SeatingCapacity = pointer(1 << 40) }, []string{"seating_capacity"}},
		"basement":          {func(s *rules.Space) { s.BuildingLevel = pointer(-2) }, nil},
		"centre of earth":   {func(s *rules.Space) { s.BuildingLevel = pointer(-101) }, []string{"building_level"}},
	}.run(t, space)
}

func TestCheckRegion(t *testing.T) {
	geometry := func(text string) func(*rules.Region) {
		return func(r *rules.Region) { r.Geometry = json.RawMessage(text) }
	}
	bad := []string{"geometry"}
	checks[*rules.Region]{
		"valid":                 {func(*rules.Region) {}, nil},
		"slug with dot":         {func(r *rules.Region) { r.StateSlug = "s.h" }, []string{"state_slug"}},
		"slug with umlaut":      {func(r *rules.Region) { r.RegionSlug = "süd" }, []string{"region_slug"}},
		"no slug":               {func(r *rules.Region) { r.CountrySlug = "" }, []string{"country_slug"}},
		"no geometry":           {geometry(``), bad},
		"no JSON":               {geometry(`{`), bad},
		"point":                 {geometry(`{"type":"Point","coordinates":[9,54]}`), bad},
		"no coordinates":        {geometry(`{"type":"Polygon"}`), bad},
		"no ring":               {geometry(`{"type":"Polygon","coordinates":[]}`), bad},
		"open ring":             {geometry(`{"type":"Polygon","coordinates":[[[9,54],[10,54],[10,55],[9,55]]]}`), bad},
		"short ring":            {geometry(`{"type":"Polygon","coordinates":[[[9,54],[10,54],[9,54]]]}`), bad},
		"half a position":       {geometry(`{"type":"Polygon","coordinates":[[[9],[10,54],[10,55],[9]]]}`), bad},
		"null in a position":    {geometry(`{"type":"Polygon","coordinates":[[[9,null],[10,54],[10,55],[9,null]]]}`), bad},
		"beyond the date line":  {geometry(`{"type":"Polygon","coordinates":[[[181,54],[10,54],[10,55],[181,54]]]}`), bad},
		"empty multipolygon":    {geometry(`{"type":"MultiPolygon","coordinates":[]}`), bad},
		"hollow multipolygon":   {geometry(`{"type":"MultiPolygon","coordinates":[[]]}`), bad},
		"multipolygon":          {geometry(`{"type":"MultiPolygon","coordinates":[[[[9,54],[10,54],[10,55],[9,54]]]]}`), nil},
		"polygon as multi":      {geometry(`{"type":"MultiPolygon","coordinates":[[[9,54],[10,54],[10,55],[9,54]]]}`), bad},
		"altitudes and members": {geometry(`{"bbox":[1],"coordinates":[[[9,54,3],[10,54,3],[10,55,3],[9,54,3]]],"type":"Polygon"}`), nil},
	}.run(t, region)
}

func TestCheckEvent(t *testing.T) {
	many := func(count int) []string { return slices.Repeat([]string{"tag"}, count) }
	checks[*rules.Event]{
		"valid":               {func(*rules.Event) {}, nil},
		"title of 2,000":      {func(e *rules.Event) { e.Title = strings.Repeat("🎷", 2_000) }, nil},
		"title of 2,001":      {func(e *rules.Event) { e.Title = strings.Repeat("x", 2_001) }, []string{"title"}},
		"unknown status":      {func(e *rules.Event) { e.ReleaseStatus = "hidden" }, []string{"release_status"}},
		"draft of nothing":    {func(e *rules.Event) { *e = rules.Event{UUID: eventID, OrgUUID: orgID} }, nil},
		"released nothing":    {func(e *rules.Event) { e.Title, e.Dates, e.VenueUUID = "", nil, "" }, []string{"title", "dates", "venue_uuid"}},
		"online":              {func(e *rules.Event) { e.VenueUUID, e.OnlineLink = "", "https://a.de/" }, nil},
		"venue for each date": {func(e *rules.Event) { e.VenueUUID, e.Dates[0].VenueUUID = "", venueID }, nil},
		"cancelled nothing":   {func(e *rules.Event) { e.ReleaseStatus, e.Dates = rules.StatusCancelled, nil }, []string{"dates"}},
		"far release date":    {func(e *rules.Event) { e.ReleaseDate = &time.Time{} }, []string{"release_date"}},
		"space without venue": {func(e *rules.Event) { e.VenueUUID, e.SpaceUUID, e.OnlineLink = "", spaceID, "https://a.de" }, []string{"space_uuid"}},
		"categories":          {func(e *rules.Event) { e.Categories = []int{1, 6, 0, 7} }, []string{"categories[2]", "categories[3]"}},
		"genre of another type": {func(e *rules.Event) {
			e.EventTypes = []adminapi.EventType{{TypeID: 1, GenreID: 1003}, {TypeID: 2, GenreID: 1003}}
		}, []string{"event_types[1].genre_id"}},
		"unknown type":           {func(e *rules.Event) { e.EventTypes = []adminapi.EventType{{TypeID: 64, GenreID: 0}} }, []string{"event_types[0].type_id"}},
		"unknown language":       {func(e *rules.Event) { e.Languages = []string{"DE", "xx", "deu"} }, []string{"languages[1]", "languages[2]"}},
		"too many tags":          {func(e *rules.Event) { e.Tags = many(101) }, []string{"tags"}},
		"blank tag":              {func(e *rules.Event) { e.Tags = []string{"Jazz", " "} }, []string{"tags[1]"}},
		"long tag":               {func(e *rules.Event) { e.Tags = []string{strings.Repeat("x", 101)} }, []string{"tags[0]"}},
		"unknown ticket flag":    {func(e *rules.Event) { e.TicketFlags = []string{"free_beer"} }, []string{"ticket_flags[0]"}},
		"ages out of order":      {func(e *rules.Event) { e.MinAge, e.MaxAge = pointer(12), pointer(6) }, []string{"max_age"}},
		"negative age":           {func(e *rules.Event) { e.MinAge = pointer(-1) }, []string{"min_age"}},
		"no attendee allowed":    {func(e *rules.Event) { e.MaxAttendees = pointer(0) }, []string{"max_attendees"}},
		"unknown occasion":       {func(e *rules.Event) { e.Occasion = 8 }, []string{"occasion"}},
		"unknown price type":     {func(e *rules.Event) { e.PriceType = "gratis" }, []string{"price_type"}},
		"price without currency": {func(e *rules.Event) { e.MinPrice = pointer(5.5) }, []string{"currency"}},
		"price":                  {func(e *rules.Event) { e.MinPrice, e.Currency = pointer(5.55), "eur" }, nil},
		"prices out of order":    {func(e *rules.Event) { e.MinPrice, e.MaxPrice, e.Currency = pointer(5.0), pointer(4.0), "EUR" }, []string{"max_price"}},
		"negative price":         {func(e *rules.Event) { e.MinPrice, e.Currency = pointer(-0.5), "EUR" }, []string{"min_price"}},
		"infinite price":         {func(e *rules.Event) { e.MaxPrice, e.Currency = pointer(math.Inf(1)), "EUR" }, []string{"max_price"}},
		"price of four decimals": {func(e *rules.Event) { e.MinPrice, e.Currency = pointer(0.0001), "EUR" }, []string{"min_price"}},
		"free for money":         {func(e *rules.Event) { e.PriceType, e.MinPrice, e.Currency = "free", pointer(1.0), "EUR" }, []string{"min_price"}},
		"free for nothing":       {func(e *rules.Event) { e.PriceType, e.MinPrice, e.Currency = "free", pointer(0.0), "EUR" }, nil},
		"tariffs":                {func(e *rules.Event) { e.Tariffs = tariffs(5, 12) }, nil},
		"prices of the tariffs": {func(e *rules.Event) {
			e.Tariffs, e.MinPrice, e.MaxPrice, e.Currency = tariffs(12, 5), pointer(5.0), pointer(12.0), "EUR"
		}, nil},
		"other than the tariffs": {func(e *rules.Event) {
			e.Tariffs, e.MinPrice, e.MaxPrice, e.Currency = tariffs(5, 12), pointer(4.0), pointer(13.0), "DKK"
		}, []string{"min_price", "max_price", "currency"}},
		"tariff of nothing":      {func(e *rules.Event) { e.Tariffs = []adminapi.Tariff{{}} }, []string{"tariffs[0].name", "tariffs[0].min_price", "tariffs[0].currency"}},
		"tariffs of two monies":  {func(e *rules.Event) { e.Tariffs = tariffs(5, 12); e.Tariffs[1].Currency = "DKK" }, []string{"tariffs[1].currency"}},
		"tariff out of order":    {func(e *rules.Event) { e.Tariffs = tariffs(5); e.Tariffs[0].MaxPrice = pointer(4.0) }, []string{"tariffs[0].max_price"}},
		"tariff of a free event": {func(e *rules.Event) { e.PriceType, e.Tariffs = "free", tariffs(0, 5) }, []string{"tariffs[1].min_price"}},
		"too many tariffs":       {func(e *rules.Event) { e.Tariffs = tariffs(make([]float64, 51)...) }, []string{"tariffs"}},
		"change without a time":  {func(e *rules.Event) { e.StatusChangedAt = "2026-11-20" }, []string{"status_changed_at"}},
		"withdrawn currency":     {func(e *rules.Event) { e.Currency = "DEM" }, []string{"currency"}},
		"link":                   {func(e *rules.Event) { e.EventLinks = []rules.EventLink{{Type: "web", URL: "http:a"}} }, []string{"event_links[0].type", "event_links[0].url"}},
		"link without URL":       {func(e *rules.Event) { e.EventLinks = []rules.EventLink{{Type: "pdf"}} }, []string{"event_links[0].url"}},
		"too many links": {func(e *rules.Event) {
			e.EventLinks = slices.Repeat([]rules.EventLink{{Type: "pdf", URL: "http://a"}}, 51)
		}, []string{"event_links"}},
		"image":           {func(e *rules.Event) { e.Images = []rules.Image{image()} }, nil},
		"two main images": {func(e *rules.Event) { e.Images = []rules.Image{image(), image()} }, []string{"images[1].uuid", "images[1].identifier"}},
		"image without a place": {func(e *rules.Event) {
			e.Images = []rules.Image{{UUID: imageID, Identifier: "gallery_8", MimeType: "text/html"}}
		}, []string{"images[0].identifier", "images[0].mime_type", "images[0].width", "images[0].height"}},
		"half a focus, of 2":      {func(e *rules.Event) { m := image(); m.FocusX = pointer(2.0); e.Images = []rules.Image{m} }, []string{"images[0].focus_y", "images[0].focus_x"}},
		"unknown licence":         {func(e *rules.Event) { m := image(); m.License = "mine"; e.Images = []rules.Image{m} }, []string{"images[0].license"}},
		"two dates with one uuid": {func(e *rules.Event) { e.Dates = slices.Repeat(e.Dates, 2) }, []string{"dates[1].uuid"}},
		"too many dates":          {func(e *rules.Event) { e.Dates = manyDates(1_001) }, []string{"dates"}},
		"as many dates as can be": {func(e *rules.Event) { e.Dates = manyDates(1_000) }, nil},
		"too many with hours":     {func(e *rules.Event) { e.Dates = datesWithHours(51) }, []string{"dates"}},
		"as many with hours":      {func(e *rules.Event) { e.Dates = datesWithHours(50) }, nil},
		"as many tariffs":         {func(e *rules.Event) { e.Dates = datesWithTariffs(20) }, nil},
		"too many of dates":       {func(e *rules.Event) { e.Dates = datesWithTariffs(21) }, []string{"dates[20].tariffs"}},
	}.run(t, event)
}

// tariffs are tariffs of these prices.
func tariffs(prices ...float64) (all []adminapi.Tariff) {
	for _, price := range prices {
		all = append(all, adminapi.Tariff{Name: "Rang", MinPrice: pointer(price), Currency: "EUR"})
	}
	return all
}

// datesWithTariffs are dates with 50 tariffs each.
func datesWithTariffs(count int) []rules.Date {
	dates := manyDates(count)
	for i := range dates {
		dates[i].Tariffs = tariffs(make([]float64, 50)...)
	}
	return dates
}

func TestCheckDate(t *testing.T) {
	date := func(change func(*rules.Date)) func(*rules.Event) {
		return func(e *rules.Event) {
			e.Dates = append(e.Dates, rules.Date{UUID: eventID, StartDate: "2026-11-20", StartTime: "20:00"})
			change(&e.Dates[1])
		}
	}
	checks[*rules.Event]{
		"leap day":              {date(func(d *rules.Date) { d.StartDate = "2028-02-29" }), nil},
		"no leap day":           {date(func(d *rules.Date) { d.StartDate = "2027-02-29" }), []string{"dates[1].start_date"}},
		"no leap century":       {date(func(d *rules.Date) { d.StartDate = "2100-02-29" }), []string{"dates[1].start_date"}},
		"year 3000":             {date(func(d *rules.Date) { d.StartDate = "3000-01-01" }), []string{"dates[1].start_date"}},
		"short date":            {date(func(d *rules.Date) { d.StartDate = "2026-1-2" }), []string{"dates[1].start_date"}},
		"no start":              {date(func(d *rules.Date) { d.StartDate, d.StartTime = "", "" }), []string{"dates[1].start_date", "dates[1].start_time"}},
		"midnight":              {date(func(d *rules.Date) { d.StartTime = "00:00" }), nil},
		"24:00":                 {date(func(d *rules.Date) { d.StartTime = "24:00" }), []string{"dates[1].start_time"}},
		"short time":            {date(func(d *rules.Date) { d.StartTime = "9:30" }), []string{"dates[1].start_time"}},
		"time with seconds":     {date(func(d *rules.Date) { d.EndTime = "21:00:00" }), []string{"dates[1].end_time"}},
		"all day":               {date(func(d *rules.Date) { d.AllDay, d.StartTime, d.EndDate = true, "", "2026-11-22" }), nil},
		"all day with times":    {date(func(d *rules.Date) { d.AllDay, d.EndTime, d.EntryTime = true, "21:00", "19:00" }), []string{"dates[1].start_time", "dates[1].end_time", "dates[1].entry_time"}},
		"end before start":      {date(func(d *rules.Date) { d.EndDate = "2026-11-19" }), []string{"dates[1].end_date"}},
		"past midnight":         {date(func(d *rules.Date) { d.EndDate, d.EndTime = "2026-11-21", "02:00" }), nil},
		"past midnight, no day": {date(func(d *rules.Date) { d.EndTime = "02:00" }), []string{"dates[1].end_time"}},
		"no length":             {date(func(d *rules.Date) { d.EndTime = "20:00" }), nil},
		"entry after start":     {date(func(d *rules.Date) { d.EntryTime = "20:01" }), []string{"dates[1].entry_time"}},
		"released by itself":    {date(func(d *rules.Date) { d.ReleaseStatus = "released" }), []string{"dates[1].release_status"}},
		"cancelled by itself":   {date(func(d *rules.Date) { d.ReleaseStatus = "cancelled" }), nil},
		"space without venue":   {date(func(d *rules.Date) { d.SpaceUUID = spaceID }), []string{"dates[1].space_uuid"}},
		"uuid of version 4":     {date(func(d *rules.Date) { d.UUID = oldID }), []string{"dates[1].uuid"}},
		"availability":          {date(func(d *rules.Date) { d.Availability, d.RemainingPlaces = " FEW_left", value.Counted(3) }), nil},
		"unknown availability":  {date(func(d *rules.Date) { d.Availability = "plenty" }), []string{"dates[1].availability"}},
		"places, but sold out":  {date(func(d *rules.Date) { d.Availability, d.RemainingPlaces = "sold_out", value.Counted(1) }), []string{"dates[1].remaining_places"}},
		"no place, sold out":    {date(func(d *rules.Date) { d.Availability, d.RemainingPlaces = "sold_out", value.Counted(0) }), nil},
		"fewer than no places":  {date(func(d *rules.Date) { d.RemainingPlaces = value.Counted(-1) }), []string{"dates[1].remaining_places"}},
		"sale":                  {date(func(d *rules.Date) { d.OnSaleFrom, d.OnSaleUntil = "2026-10-01T10:00", "2026-10-01T10:00" }), nil},
		"sale of a day":         {date(func(d *rules.Date) { d.OnSaleFrom, d.OnSaleUntil = "2026-10-01", "2026-10-01T25:00" }), []string{"dates[1].on_sale_from", "dates[1].on_sale_until"}},
		"sale ends first":       {date(func(d *rules.Date) { d.OnSaleFrom, d.OnSaleUntil = "2026-10-01T10:00", "2026-10-01T09:59" }), []string{"dates[1].on_sale_until"}},
		"previous start": {date(func(d *rules.Date) {
			d.PreviousStart, d.StatusChangedAt = "2026-11-19T20:00", "2026-11-01T12:00:00+01:00"
		}), nil},
		"previous day":    {date(func(d *rules.Date) { d.PreviousStart = "2026-11-19" }), nil},
		"no previous day": {date(func(d *rules.Date) { d.PreviousStart, d.StatusChangedAt = "2026-02-30", "now" }), []string{"dates[1].previous_start", "dates[1].status_changed_at"}},
		"ticket link":     {date(func(d *rules.Date) { d.TicketLink = "tickets" }), []string{"dates[1].ticket_link"}},
	}.run(t, event)
}
