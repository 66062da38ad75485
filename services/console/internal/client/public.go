package client

import (
	"net/url"

	"litfass/pkg/contracts/publicapi"
)

// Public has the operations of the public API that pages use. They return the errors of Client.Do.
type Public struct {
	do func(Call) (Answer, error)
}

// NewPublic returns the operations. do sends a request on behalf of a person.
func NewPublic(do func(Call) (Answer, error)) Public { return Public{do} }

// read reads a T.
func read[T any](p Public, path string, query url.Values) (T, error) {
	return call[T](Admin(p), Call{Path: path, Query: query})
}

// envelope is the frame of some answers.
type envelope[T any] struct {
	Data T `json:"data"`
}

// Venue reads a venue as visitors see it.
func (p Public) Venue(uuid string) (publicapi.Venue, error) {
	got, err := read[envelope[publicapi.Venue]](p, "/api/venue/"+url.PathEscape(uuid), nil)
	return got.Data, err
}

// Organization reads an organization as visitors see it.
func (p Public) Organization(uuid string) (publicapi.Organization, error) {
	got, err := read[envelope[publicapi.Organization]](p, "/api/organization/"+url.PathEscape(uuid), nil)
	return got.Data, err
}

// UpTo returns nil once visitors see everything up to the position of a write.
func (p Public) UpTo(position uint64) error {
	_, err := p.do(Call{Path: "/api/events", Query: url.Values{"limit": {"1"}}, Position: position})
	return err
}

// Choosable reads a value set, such as "countries".
func (p Public) Choosable(set string, query url.Values) ([]publicapi.Item, error) {
	return read[[]publicapi.Item](p, "/api/choosable-"+set, query)
}

// VisitorInfo reads the flags of information for visitors.
func (p Public) VisitorInfo() ([]publicapi.Flag, error) {
	return read[[]publicapi.Flag](p, "/api/visitor-info/flags", nil)
}

// Accessibility reads the flags of accessibility.
func (p Public) Accessibility() ([]publicapi.Flag, error) {
	return read[[]publicapi.Flag](p, "/api/accessibility/flags", nil)
}

// Types reads the event types and genres, by language.
func (p Public) Types() (map[string]publicapi.Types, error) {
	got, err := read[envelope[map[string]publicapi.Types]](p, "/api/event/type-genre-lookup", nil)
	return got.Data, err
}
