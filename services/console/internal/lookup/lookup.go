// Package lookup has the choices of forms: the value sets of the public API, which name the codes
// that are stored, and the places of events.
package lookup

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/console/internal/client"
)

// Choice is a code with its name.
type Choice struct{ ID, Name string }

// Choices is a value set in the order that people read it in.
type Choices []Choice

// Name returns the name of a code, the code itself when it has none.
func (c Choices) Name(id string) string {
	for _, choice := range c {
		if choice.ID == id {
			return choice.Name
		}
	}
	return id
}

// Has reports whether a code is among the choices.
func (c Choices) Has(id string) bool {
	return slices.ContainsFunc(c, func(choice Choice) bool { return choice.ID == id })
}

// Type is an event type with its genres.
type Type struct {
	Choice
	Genres Choices
}

// Sets are the value sets of an event and its place in one language.
type Sets struct {
	Types         []Type
	Categories    Choices
	Occasions     Choices
	PriceTypes    Choices
	Currencies    Choices
	Languages     Choices
	LinkTypes     Choices
	Labels        Choices
	SpaceTypes    Choices
	Countries     Choices
	VisitorInfo   []publicapi.Flag
	Accessibility []publicapi.Flag
}

// Type returns an event type by its id; an unknown one has its id as its name.
func (s Sets) Type(id int) Type {
	for _, known := range s.Types {
		if known.ID == strconv.Itoa(id) {
			return known
		}
	}
	return Type{Choice: Choice{ID: strconv.Itoa(id), Name: "#" + strconv.Itoa(id)}}
}

// Reader reads value sets in the language of a request, through the cache that all requests share.
// A set that cannot be read is as it was before, or empty: events can be edited without its names.
type Reader struct {
	Cache    *Cache
	Public   client.Public
	Language string
	Now      time.Time
}

// Sets returns the value sets of an event and its place. They are read at the same time, but not
// with Request.Together, which fails when the session of the person has ended: all people share
// the cache.
func (r Reader) Sets() (sets Sets) {
	var group errgroup.Group
	for set, into := range map[string]*Choices{
		"categories": &sets.Categories, "event-occasions": &sets.Occasions, "price-types": &sets.PriceTypes,
		"currencies": &sets.Currencies, "languages": &sets.Languages, "link-types": &sets.LinkTypes,
		"space-types": &sets.SpaceTypes, "countries": &sets.Countries, "labels": &sets.Labels,
	} {
		group.Go(func() error {
			*into, _ = r.Choices(set)
			return nil
		})
	}
	group.Go(func() error {
		sets.VisitorInfo, _ = cached(r, "visitor-info", r.Public.VisitorInfo)
		return nil
	})
	group.Go(func() error {
		sets.Accessibility, _ = cached(r, "accessibility", r.Public.Accessibility)
		return nil
	})
	group.Go(func() error {
		sets.Types, _ = cached(r, "types", r.readTypes)
		return nil
	})
	_ = group.Wait() // a set that cannot be read is no error
	return sets
}

// Choices returns a value set of the public API, for example "countries". With an error, which
// comes from client.Public, the choices are the ones of an earlier read, or none.
func (r Reader) Choices(set string) (Choices, error) {
	return cached(r, set, func() (Choices, error) { return r.read(set, nil) })
}

// States returns the states of a country; the error is that of Choices.
func (r Reader) States(country string) (Choices, error) {
	read := func() (Choices, error) { return r.read("states", url.Values{"country": {country}}) }
	if countries, _ := r.Choices("countries"); !countries.Has(country) {
		return read() // the cache holds nothing that people make up
	}
	return cached(r, "states of "+country, read)
}

func (r Reader) read(set string, query url.Values) (choices Choices, err error) {
	items, err := r.Public.Choosable(set, query)
	for _, item := range items {
		if id := fmt.Sprint(item.ID); id != "0" { // which stands for none
			choices = append(choices, Choice{id, item.Name})
		}
	}
	return choices, err
}

// readTypes reads the event types and their genres, by name.
func (r Reader) readTypes() ([]Type, error) {
	byLanguage, err := r.Public.Types()
	if err != nil {
		return nil, err
	}
	var all []Type
	for id, known := range byLanguage[r.Language].Types {
		named := Type{Choice: Choice{id, known.Name}}
		for genre, name := range known.Genres {
			named.Genres = append(named.Genres, Choice{genre, name})
		}
		slices.SortFunc(named.Genres, byName)
		all = append(all, named)
	}
	slices.SortFunc(all, func(a, b Type) int { return byName(a.Choice, b.Choice) })
	return all, nil
}

func byName(a, b Choice) int {
	return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
}
