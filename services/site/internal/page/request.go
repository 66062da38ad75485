package page

import (
	"net/url"
	"slices"
	"strings"
	"time"

	codes "litfass/pkg/contracts/language"
	"litfass/services/site/internal/text"
	"litfass/services/site/internal/view"
)

// Request is the request of a visitor.
type Request struct {
	Path       string // of the page, "/" or without a slash at its end
	Parameters url.Values
	UUID       string // that the path names, as it is written; "" for none
	Text       *text.Texts
	Today      time.Time // midnight in the site's zone
	Position   uint64    // that the page must be complete up to; 0: any
	Brand      view.Brand
}

// Exact is the parameter with which the words of a search are searched as they are, without a
// correction of their spelling.
const Exact = "exact"

// PreviewPath is the path of preview links; a token follows.
const PreviewPath = "/preview/"

// Day returns today in UTC, as days of the catalogue are compared.
func (r *Request) Day() time.Time {
	return time.Date(r.Today.Year(), r.Today.Month(), r.Today.Day(), 0, 0, 0, 0, time.UTC)
}

// Scope returns the values that every part of a page is rendered with.
func (r *Request) Scope() view.Scope {
	return view.Scope{
		Text: r.Text, Today: r.Today, Link: r.Link, Public: r.Brand.Public, Publish: r.Brand.PublishLink(r.Link), Portal: r.Brand.Portal,
		Maps: r.Brand.Maps(), Videos: r.Brand.Videos,
	}
}

// private reports whether the address is a secret: that of a preview link.
func (r *Request) private() bool { return strings.HasPrefix(r.Path, PreviewPath) }

// Lang returns the language that the address names, "" when it names none: links on the page name
// it as well.
func (r *Request) Lang() string {
	if lang := r.Parameters.Get("lang"); slices.Contains(codes.Codes, lang) {
		return lang
	}
	return ""
}

// WithValue returns the request with a parameter set to a value.
func (r *Request) WithValue(name, value string) *Request {
	other := *r
	other.Parameters = Clone(r.Parameters)
	other.Parameters.Set(name, value)
	return &other
}

// Without returns the request without some parameters.
func (r *Request) Without(names ...string) *Request {
	other := *r
	other.Parameters = Clone(r.Parameters, names...)
	return &other
}

// IsFirstPage reports whether the address is that of the first page of a list.
func (r *Request) IsFirstPage() bool { return !r.Has("last_event_date_uuid") && !r.Has("offset") }

// Filter returns the parameters of the API's search that the address holds: all but the page's own.
func (r *Request) Filter(own ...string) url.Values {
	filter := url.Values{}
	for name, values := range r.Parameters {
		if name == "lang" || name == Exact || slices.Contains(own, name) {
			continue
		}
		for _, value := range values {
			if value = strings.TrimSpace(value); value != "" { // an empty field of a form
				filter.Add(name, value)
			}
		}
	}
	return filter
}

// Link returns the address of a page of the site with parameters, in the language that the visitor
// chose.
func (r *Request) Link(path string, parameters url.Values) string {
	all := url.Values{}
	for name, values := range parameters {
		all[name] = values
	}
	if lang := r.Lang(); lang != "" {
		all.Set("lang", lang)
	}
	path = r.Brand.Prefix + path
	if len(all) == 0 {
		return path
	}
	return path + "?" + all.Encode()
}

// address returns the path of the page with its parameters but for the language.
func (r *Request) address() string {
	all := url.Values{}
	for name, values := range r.Parameters {
		if name != "lang" {
			all[name] = values
		}
	}
	if len(all) == 0 {
		return r.Brand.Prefix + r.Path
	}
	return r.Brand.Prefix + r.Path + "?" + all.Encode()
}

// In returns the address of this page in another language.
func (r *Request) In(lang string) string {
	all := url.Values{}
	for name, values := range r.Parameters {
		all[name] = values
	}
	all.Set("lang", lang)
	return r.Brand.Prefix + r.Path + "?" + all.Encode()
}
