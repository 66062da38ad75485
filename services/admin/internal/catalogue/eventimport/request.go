package eventimport

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/remote"
)

const (
	maxSource  = 500    // characters
	fileSource = "file" // the source of files without one
)

// request is the checked body of an import.
type request struct {
	data      []byte // nil if it must be read from the address
	address   string
	source    string
	options   eventfile.Options
	defaults  rules.Event // only the fields of ImportDefaults
	dryRun    bool
	overwrite bool
	restore   bool
	missing   string // one of adminapi.MissingKeep and so on

	places []adminapi.ImportPlace // nil: those of the last such file
	kinds  []adminapi.ImportKind  // the same

	reading *Reading // nil for a file that a person imports
}

// isGiven reports whether the events are given without a file.
func (r *request) isGiven() bool { return r.reading != nil && r.reading.Events != nil }

// readRequest checks a body. The fault is Invalid and names every bad field.
func readRequest(body adminapi.ImportBody) (request, error) {
	var bad fault.Violations
	r := newRequest(body)
	r.readFile(body, &bad)
	r.readChoices(body, &bad)
	return r, bad.Err("invalid_import", "some fields are not right")
}

func newRequest(body adminapi.ImportBody) request {
	return request{
		dryRun: body.DryRun == nil || *body.DryRun, overwrite: body.Overwrite, restore: body.Restore,
		missing: cmp.Or(string(body.Missing), adminapi.MissingKeep),
	}
}

// readChoices reads the fields of a body without the file itself.
func (r *request) readChoices(body adminapi.ImportBody, bad *fault.Violations) {
	choices := []string{adminapi.MissingKeep, adminapi.MissingCancel, adminapi.MissingDraft}
	if !slices.Contains(choices, r.missing) {
		bad.Add("missing", reason.NotOneOf(choices))
	}
	r.readSource(body, bad)
	r.readOptions(body, bad)
	r.readDefaults(body.Defaults, bad)
	r.readPlaces(body.Venues, bad)
	r.readKinds(body.Kinds, bad)
}

// readFile reads the content or the address of the file.
func (r *request) readFile(body adminapi.ImportBody, bad *fault.Violations) {
	given := 0
	for _, text := range []string{body.Content, body.ContentBase64, string(body.Address)} {
		if text != "" {
			given++
		}
	}
	switch {
	case given == 0:
		bad.Add("content", reason.OneRequired("one of content, content_base64 and address"))
	case given > 1:
		bad.Add("content", reason.OthersGiven("one of content, content_base64 and address"))
	case body.Address != "":
		address, err := remote.Parse(string(body.Address))
		if err != nil {
			*bad = append(*bad, fault.Of(err).Violations...)
			return
		}
		r.address = address.String()
	case body.Content != "":
		r.data = []byte(body.Content)
	default:
		data, err := base64.StdEncoding.DecodeString(body.ContentBase64)
		if err != nil || len(data) == 0 {
			bad.Add("content_base64", reason.NotBase64)
		}
		r.data = data
	}
}

func (r *request) readSource(body adminapi.ImportBody, bad *fault.Violations) {
	r.source = strings.TrimSpace(string(body.Source))
	switch {
	case utf8.RuneCountInString(r.source) > maxSource:
		bad.Add("source", reason.TooLong(maxSource))
	case strings.ContainsFunc(r.source, unicode.IsControl):
		bad.Add("source", reason.ControlCharacters)
	case r.source != "":
	case r.address != "":
		r.source = r.address
	default:
		r.source = fileSource
	}
}

func (r *request) readOptions(body adminapi.ImportBody, bad *fault.Violations) {
	formats := []string{eventfile.FormatCalendar, eventfile.FormatCSV, eventfile.FormatPage, eventfile.FormatGuess}
	if r.reading != nil {
		formats = append(formats, adminapi.ImportLitfass)
	}
	if body.Format != "" && !slices.Contains(formats, body.Format) {
		bad.Add("format", reason.NotOneOf(formats))
	}
	if order := string(body.DateOrder); !slices.Contains([]string{"", eventfile.DayFirst, eventfile.MonthFirst}, order) {
		bad.Add("date_order", reason.NotOneOf([]string{"dmy", "mdy"}))
	}
	if until := string(body.Until); until != "" {
		if day, err := time.Parse(time.DateOnly, until); err != nil || day.Year() < 1900 || day.Year() > 2999 {
			bad.Add("until", reason.NotDate(1900, 2999))
		}
	}
	r.options = eventfile.Options{
		Format: body.Format, DateOrder: string(body.DateOrder), Until: string(body.Until),
	}
	if body.Mapping == nil {
		return
	}
	r.options.Mapping = map[string]string{}
	if len(body.Mapping) > adminapi.MaxImportChoices {
		bad.Add("mapping", reason.TooMany(adminapi.MaxImportChoices))
		return
	}
	for i, m := range body.Mapping {
		at := fmt.Sprintf("mapping[%d]", i)
		if utf8.RuneCountInString(m.Column) > adminapi.MaxName {
			bad.Add(at+".column", reason.TooLong(adminapi.MaxName))
		}
		if _, given := r.options.Mapping[m.Column]; given || m.Column == "" {
			bad.Add(at+".column", reason.ColumnNotUnique)
		}
		if m.Field != "" && !eventfile.IsField(string(m.Field)) {
			bad.Add(at+".field", reason.NotOneOf(eventfile.Fields))
		}
		r.options.Mapping[m.Column] = string(m.Field)
	}
}

// readDefaults checks the defaults by the rules of events.
func (r *request) readDefaults(given adminapi.ImportDefaults, bad *fault.Violations) {
	e := rules.Event{
		VenueUUID: given.VenueUUID, SpaceUUID: given.SpaceUUID,
		EventTypes: given.EventTypes, Languages: given.Languages, ReleaseStatus: string(given.ReleaseStatus),
	}
	e.Normalize()
	status := e.ReleaseStatus
	if !slices.Contains([]string{rules.StatusDraft, rules.StatusReview, rules.StatusReleased}, status) {
		bad.Add("defaults.release_status", reason.NotOneOf([]string{"draft", "review", "released"}))
	}
	e.ReleaseStatus = rules.StatusDraft
	for _, v := range e.Validate() {
		name, _, _ := strings.Cut(v.Field, "[")
		if slices.Contains([]string{"venue_uuid", "space_uuid", "languages", "event_types"}, name) {
			v.Field = "defaults." + v.Field
			*bad = append(*bad, v)
		}
	}
	e.ReleaseStatus = status
	r.defaults = e
}
