package importing

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

const (
	maxBytes   = adminapi.MaxImportBytes
	maxColumns = 100
	maxSource  = 500 // characters
	maxLink    = 4000
)

// settings are the fields of the form that a link can fill in.
type settings struct {
	Address  string
	Source   string // names the file from one import to the next
	Place    string // of events without one: a venue, or a venue and a space with a slash between
	Language string
	Type     string
	Until    string // YYYY-MM-DD
	Release  bool   // new events are public at once

	DateOrder string   // "", dmy or mdy
	Columns   []column // as the person has mapped them
}

// form has the fields of the form of any step.
type form struct {
	settings

	Name      string // of the file
	File      []byte // nil for an address
	Overwrite bool
	Restore   bool                   // also events that were deleted here
	Missing   string                 // the choice for events that the file no longer has; "" keeps them
	Venues    []adminapi.ImportPlace // the choices for venues that are not known
	Kinds     []adminapi.ImportKind  // the choices for types that are not known
	previewed bool                   // the form is that of a preview, and has all choices
	seen      string                 // digest of the preview's input; "" before the first preview
	doubled   []string               // columns whose field another one has
}

// column is a column of the file with its field.
type column struct {
	Name, Field string
	Guess       string // the guess of the service
	Chosen      bool   // that the field is the person's choice and no guess
}

// formOf reads a link or a form, without its file.
func formOf(values url.Values) form {
	f := form{settings: settings{
		Address: strings.TrimSpace(values.Get("address")), Source: strings.TrimSpace(values.Get("source")),
		Place: values.Get("place"), Language: values.Get("language"), Type: values.Get("type"),
		Until: strings.TrimSpace(values.Get("until")), Release: values.Get("release") == "true",
	}}
	if order := values.Get("date_order"); order == "dmy" || order == "mdy" {
		f.DateOrder = order
	}
	f.readColumns(values)
	return f
}

// values are the query of a link that fills in the form again. A mapping that would make it too
// long for a bookmark is left out.
func (s settings) values() url.Values {
	values := url.Values{}
	for i, c := range s.mapping() {
		number := strconv.Itoa(i)
		values.Add("column", c.Name)
		values.Set("field."+number, c.Field)
		values.Set("chosen."+number, "true")
	}
	if len(values.Encode()) > maxLink {
		values = url.Values{}
	}
	for name, text := range map[string]string{
		"address": s.Address, "source": s.Source, "place": s.Place, "language": s.Language, "type": s.Type, "until": s.Until,
		"date_order": s.DateOrder,
	} {
		if text != "" {
			values.Set(name, text)
		}
	}
	if s.Release {
		values.Set("release", "true")
	}
	return values
}

// readForm reads the form, and returns its errors.
func readForm(r *page.Request) (form, view.Errors) {
	f := formOf(r.Form.Values)
	f.previewed = r.Form.Has("seen")
	f.readChoices(r.Form.Values)
	f.Overwrite, f.Restore, f.seen = r.Form.Get("overwrite") == "true", r.Form.Get("restore") == "true", r.Form.Get("seen")
	if choice := r.Form.Get("missing"); choice == adminapi.MissingCancel || choice == adminapi.MissingDraft {
		f.Missing = choice
	}
	errors := view.Errors{}
	f.readFile(r, errors)
	f.check(r.Text, errors)
	return f, errors
}

// readFile reads the file that was chosen, else that at the address, else the one that the form
// carries.
func (f *form) readFile(r *page.Request, errors view.Errors) {
	file, err := r.Form.File("file")
	if err != nil {
		errors["file"] = r.Text.T("import.file.again")
		return
	}
	if file != nil {
		f.Name, f.File = file.Name, file.Content
	} else if packed := r.Form.Get("content"); packed != "" && f.Address == "" {
		if f.File, err = unpack(packed); err != nil {
			errors["file"] = r.Text.T("import.file.again")
			return
		}
		f.Name = r.Form.Get("name")
	}
	switch {
	case f.File == nil && f.Address == "":
		errors["file"] = r.Text.T("import.file.missing")
		if r.Form.Has("again") {
			errors["file"] = r.Text.T("import.file.again")
		}
	case len(f.File) > maxBytes:
		errors["file"] = r.Text.T("import.file.too_large")
		f.File = nil
	case file != nil && len(f.File) == 0:
		errors["file"] = r.Text.T("import.file.empty")
	}
	if f.File != nil {
		f.Address = ""
	}
}

// check returns the errors of the settings.
func (f *form) check(t *text.Texts, errors view.Errors) {
	if f.File == nil && f.Address != "" && !isAddress(f.Address) {
		errors["address"] = t.T("import.address_invalid")
	}
	if utf8.RuneCountInString(f.Source) > maxSource {
		errors["source"] = t.T("import.source.too_long")
	}
	if f.Until == "" {
		return
	}
	if day, err := time.Parse(time.DateOnly, f.Until); err != nil || day.Year() < 1900 || day.Year() > 2999 {
		errors["until"] = t.T("import.until.invalid")
	}
}

// isAddress reports whether a text may be the address of a file.
func isAddress(text string) bool {
	address, err := url.Parse(text)
	if err != nil || len(text) > adminapi.MaxURL || address.Hostname() == "" || address.User != nil {
		return false
	}
	switch address.Scheme {
	case "http", "https", "webcal", "webcals":
		return true
	}
	return false
}

// readColumns reads the fields of the columns. A choice is one that differs from the guess, or was
// one before. Of two choices for one field, the first counts.
func (f *form) readColumns(sent url.Values) {
	taken := map[string]bool{}
	for i, name := range sent["column"] {
		if i == maxColumns {
			return
		}
		number := strconv.Itoa(i)
		c := column{Name: name, Field: sent.Get("field." + number), Guess: sent.Get("guess." + number)}
		c.Chosen = c.Field != c.Guess || sent.Get("chosen."+number) == "true"
		if c.Chosen && c.Field != "" {
			if taken[c.Field] {
				f.doubled = append(f.doubled, name)
				c.Field = ""
			}
			taken[c.Field] = true
		}
		f.Columns = append(f.Columns, c)
	}
}

// createVenue is the choice of a new venue.
const createVenue = "create"

// readChoices reads the choices of venues and types.
func (f *form) readChoices(sent url.Values) {
	for i, name := range sent["venue"] {
		number := "venue." + strconv.Itoa(i) + "."
		place := adminapi.ImportPlace{
			Name: name, PostalCode: value.Text(sent.Get(number + "postal_code")), City: value.Text(sent.Get(number + "city")),
		}
		switch choice := sent.Get(number + "choice"); choice {
		case "":
			continue
		case createVenue:
			place.Create = true
		default:
			place.VenueUUID = value.Text(choice)
		}
		f.Venues = append(f.Venues, place)
	}
	for i, name := range sent["kind"] {
		if id, err := strconv.Atoi(sent.Get("kind." + strconv.Itoa(i))); err == nil && id != 0 {
			f.Kinds = append(f.Kinds, adminapi.ImportKind{Name: name, TypeID: id})
		}
	}
}

// adopt takes over the choices that the service has made for the first preview, as for the last
// such file: the next form has all of them.
func (f *form) adopt(report adminapi.ImportReport) {
	if f.previewed {
		return
	}
	for _, c := range report.Columns {
		if c.GuessedBy == byEarlier {
			f.Columns = append(f.Columns, column{Name: c.Name, Field: string(c.Field), Chosen: true})
		}
	}
	f.DateOrder = string(report.DateOrder)
	for _, v := range report.Venues {
		if v.VenueUUID != "" {
			f.Venues = append(f.Venues, adminapi.ImportPlace{
				Name: v.Name, PostalCode: v.PostalCode, City: v.City, VenueUUID: v.VenueUUID,
			})
		}
	}
	for _, k := range report.Kinds {
		if k.TypeID != 0 {
			f.Kinds = append(f.Kinds, k.ImportKind)
		}
	}
}

// byEarlier marks the columns that are mapped as in the last such file.
const byEarlier = "earlier"

// mapping are the columns whose fields the person has chosen.
func (s settings) mapping() (chosen []column) {
	for _, c := range s.Columns {
		if c.Chosen {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// request is the body of the request. Without choices of the person it has no such lists, so that
// those of the last such file count.
func (f form) request(dryRun bool) adminapi.ImportBody {
	body := f.body(dryRun)
	if !f.previewed {
		body.Venues, body.Kinds = nil, nil
		if len(body.Mapping) == 0 {
			body.Mapping = nil
		}
	}
	return body
}

// body is the body of the request with all choices.
func (f form) body(dryRun bool) adminapi.ImportBody {
	body := adminapi.ImportBody{
		Source: value.Text(f.Source), DateOrder: value.Text(f.DateOrder), Until: value.Text(f.Until),
		DryRun: &dryRun, Overwrite: f.Overwrite, Restore: f.Restore, Missing: value.Text(f.Missing), Mapping: []adminapi.ImportMapping{},
		Venues: append([]adminapi.ImportPlace{}, f.Venues...), Kinds: append([]adminapi.ImportKind{}, f.Kinds...),
	}
	if f.File != nil {
		body.ContentBase64 = base64.StdEncoding.EncodeToString(f.File)
	} else {
		body.Address = value.Text(f.Address)
	}
	for _, c := range f.mapping() {
		body.Mapping = append(body.Mapping, adminapi.ImportMapping{Column: c.Name, Field: value.Text(c.Field)})
	}
	venue, space, _ := strings.Cut(f.Place, "/")
	body.Defaults.VenueUUID, body.Defaults.SpaceUUID = value.Text(venue), value.Text(space)
	if f.Language != "" {
		body.Defaults.Languages = []string{f.Language}
	}
	if id, err := strconv.Atoi(f.Type); err == nil {
		body.Defaults.EventTypes = []adminapi.EventType{{TypeID: id}}
	}
	if f.Release {
		body.Defaults.ReleaseStatus = "released"
	}
	return body
}

// digest identifies the input of a preview.
func (f form) digest() string {
	sum := sha256.New()
	// Texts and numbers always encode.
	_ = json.NewEncoder(sum).Encode(f.body(true))
	return hex.EncodeToString(sum.Sum(nil))
}

// chosenFor returns the field that the person has chosen for a column.
func (f form) chosenFor(name string) column {
	for _, c := range f.Columns {
		if c.Name == name {
			return c
		}
	}
	return column{}
}

// explain returns the errors of the fields of the form, in the person's language where there are
// some; reason is about the file as a whole.
func explain(t *text.Texts, err error) (errors view.Errors, reason string) {
	f, errors := fault.Of(err), view.Errors{}
	if fault.Is(err, fault.TooLarge) {
		field := "file"
		if len(f.Violations) > 0 && f.Violations[0].Field == "address" {
			field = "address"
		}
		return view.Errors{field: t.T("import.file.too_much")}, f.Message
	}
	for _, v := range f.Violations {
		name, _, _ := strings.Cut(v.Field, "[")
		switch name = strings.TrimPrefix(name, "defaults."); name {
		case "content", "content_base64", "format":
			errors["file"], reason = t.T("import.file.unreadable"), v.Reason
		case "address":
			errors["address"] = t.T("import.address_unreachable")
			if t.Has("import." + f.Code) {
				errors["address"] = t.T("import." + f.Code)
			}
			reason = v.Reason
		case "venue_uuid", "space_uuid":
			errors["place"] = t.T("import.place.invalid")
		case "languages":
			errors["language"] = t.T("import.choose_again")
		case "event_types":
			errors["type"] = t.T("import.choose_again")
		default:
			errors[name] = v.Reason
		}
	}
	if len(errors) == 0 {
		reason = f.Message
	}
	return errors, reason
}
