package webhook

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
)

// traits are the attributes of an entity by which webhooks filter, in the form of a filter: an
// entity passes a filter if it shares a value with each of the filter's lists.
type traits = adminapi.WebhookFilter

// passes reports whether an entity with these traits passes the filter; nil is an entity that is
// not public.
func passes(filter adminapi.WebhookFilter, entity *traits) bool {
	return entity != nil &&
		share(filter.Organizations, entity.Organizations) && share(filter.Venues, entity.Venues) &&
		share(filter.Cities, entity.Cities) && share(filter.Countries, entity.Countries) &&
		share(filter.EventTypes, entity.EventTypes) && share(filter.Genres, entity.Genres) &&
		share(filter.Categories, entity.Categories) && share(filter.Languages, entity.Languages) &&
		share(filter.Tags, entity.Tags) && share(filter.Label, entity.Label)
}

func share[V comparable](wanted, have []V) bool {
	return len(wanted) == 0 || slices.ContainsFunc(wanted, func(v V) bool { return slices.Contains(have, v) })
}

// folded returns text as it is compared, nil for none.
func folded(texts []string) (folded []string) {
	for _, text := range texts {
		folded = append(folded, strings.ToLower(strings.TrimSpace(text)))
	}
	return folded
}

// state is the public state of an entity as far as webhooks know it: nil traits and digest for one
// that is not public.
type state struct {
	digest []byte
	traits *traits
}

// stateOf returns the state after a change.
func stateOf(c change.Change) (state, error) {
	if c.Gone() {
		return state{}, nil
	}
	switch c.Kind {
	case change.KindEvent:
		return read(c, func(e *change.Event) traits { e.ChangedAt = ""; return traitsOfEvent(e) })
	case change.KindVenue:
		return read(c, func(v *change.Venue) traits {
			v.ChangedAt = ""
			return traits{
				Organizations: []string{v.Organization.UUID}, Venues: []string{v.UUID},
				Cities: folded([]string{string(v.City)}), Countries: []string{string(v.Country)},
			}
		})
	case change.KindOrganization:
		return read(c, func(o *change.Organization) traits {
			o.ChangedAt = ""
			return traits{
				Organizations: []string{o.UUID}, Cities: folded([]string{string(o.City)}), Countries: []string{string(o.Country)},
			}
		})
	default:
		return state{}, fmt.Errorf("webhooks have no state of kind %q", c.Kind)
	}
}

// read decodes a snapshot. describe returns its traits and clears its time of change, which is no
// part of its state.
func read[S any](c change.Change, describe func(*S) traits) (state, error) {
	snapshot, err := change.Read[S](c)
	if err != nil {
		return state{}, err
	}
	described := describe(&snapshot)
	text, err := json.Marshal(snapshot)
	if err != nil {
		return state{}, err
	}
	digest := sha256.Sum256(text)
	return state{digest[:], &described}, nil
}

func traitsOfEvent(e *change.Event) traits {
	t := traits{
		Organizations: []string{e.Organization.UUID}, Categories: e.Categories, Languages: e.Languages, Tags: folded(e.Tags),
		Label: e.Labels,
	}
	for _, kind := range e.EventTypes {
		t.EventTypes = append(t.EventTypes, kind.TypeID)
		if kind.GenreID != 0 {
			t.Genres = append(t.Genres, kind.GenreID)
		}
	}
	for _, venue := range e.Venues {
		t.Venues = append(t.Venues, venue.UUID)
		t.Cities = append(t.Cities, folded([]string{string(venue.City)})...)
		t.Countries = append(t.Countries, string(venue.Country))
	}
	return t
}
