// Package lookup has what can be chosen in forms: the value sets of the public API, which are the
// words for what is stored as codes, and the places of events.
package lookup

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/console/internal/page"
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

// Type is an event type with its genres.
type Type struct {
	Choice
	Genres Choices
}

// Sets are the value sets in one language. All are empty when they could not be read.
type Sets struct {
	Types         []Type
	Categories    Choices
	Occasions     Choices
	PriceTypes    Choices
	Currencies    Choices
	Languages     Choices
	LinkTypes     Choices
	SpaceTypes    Choices
	Countries     Choices
	VisitorInfo   []publicapi.Flag
	Accessibility []publicapi.Flag
}

// Type returns an event type by its id; one that is not known has its id as its name.
func (s Sets) Type(id int) Type {
	for _, known := range s.Types {
		if known.ID == strconv.Itoa(id) {
			return known
		}
	}
	return Type{Choice: Choice{ID: strconv.Itoa(id), Name: "#" + strconv.Itoa(id)}}
}

const (
	// fresh is how long value sets are kept: they change with a release of Litfass.
	fresh = 5 * time.Minute
	// pause is between attempts to read them while the public API does not answer.
	pause = 15 * time.Second
)

// Store keeps the value sets of each language. The zero value is empty. It is safe for concurrent
// use.
type Store struct {
	mu   sync.Mutex
	kept map[string]*entry
}

type entry struct {
	mu   sync.Mutex
	sets Sets
	next time.Time // when they are read again
}

// Of returns the value sets in the language of a request. Those that cannot be read are as they
// were before, or empty: what is stored can be edited without its words.
func (s *Store) Of(r *page.Request) Sets {
	e := s.entry(r.Text.Code)
	e.mu.Lock()
	defer e.mu.Unlock()
	if r.Now.Before(e.next) {
		return e.sets
	}
	sets, err := read(r)
	if err != nil {
		e.next = r.Now.Add(pause)
		return e.sets
	}
	e.sets, e.next = sets, r.Now.Add(fresh)
	return sets
}

func (s *Store) entry(language string) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[string]*entry{}
	}
	if s.kept[language] == nil {
		s.kept[language] = &entry{}
	}
	return s.kept[language]
}

// read reads all value sets at once, for all people: not with Request.Together, which fails when
// the login of the one who asks has ended.
func read(r *page.Request) (sets Sets, err error) {
	var group errgroup.Group
	for set, into := range map[string]*Choices{
		"categories": &sets.Categories, "event-occasions": &sets.Occasions, "price-types": &sets.PriceTypes,
		"currencies": &sets.Currencies, "languages": &sets.Languages, "link-types": &sets.LinkTypes,
		"space-types": &sets.SpaceTypes, "countries": &sets.Countries,
	} {
		group.Go(func() (err error) {
			*into, err = Read(r, set, nil)
			return err
		})
	}
	group.Go(func() (err error) {
		sets.VisitorInfo, err = r.Public().VisitorInfo()
		return err
	})
	group.Go(func() (err error) {
		sets.Accessibility, err = r.Public().Accessibility()
		return err
	})
	group.Go(func() (err error) {
		sets.Types, err = types(r)
		return err
	})
	err = group.Wait()
	return sets, err
}

// Read returns a value set of the public API, such as "states" of the country that query names, in
// the language of a request. The errors are those of client.Public; most pages can do without the
// words.
func Read(r *page.Request, set string, query url.Values) (choices Choices, err error) {
	items, err := r.Public().Choosable(set, query)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		if id := fmt.Sprint(item.ID); id != "0" { // which stands for none
			choices = append(choices, Choice{id, item.Name})
		}
	}
	return choices, nil
}

// types reads the event types and their genres, by name.
func types(r *page.Request) ([]Type, error) {
	byLanguage, err := r.Public().Types()
	if err != nil {
		return nil, err
	}
	var all []Type
	for id, known := range byLanguage[r.Text.Code].Types {
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
