// Package model decides for each request that edits the catalogue whether it must be accepted, and
// computes the catalogue after it, in the plainest way: entities are maps with the fields of the
// catalog file, and every question looks at all of them. It is written from the interface, its
// decisions and the descriptions of the operations, and shares no code with the services, so that a
// mistake of theirs cannot hide here.
package model

import (
	"encoding/json"
	"slices"
)

// Object is an entity, a part of one or a body, as decoded from JSON.
type Object = map[string]any

// The kinds of entities, as the catalog file names them.
const (
	Organization = "organization"
	Venue        = "venue"
	Space        = "space"
	Event        = "event"
	Series       = "series"
)

// Entity is an organization, venue, space, event or series.
type Entity struct {
	Kind   string
	Fields Object // all fields of the catalog file
	Tag    string // the ETag of its version
}

// UUID returns the entity's uuid; "" while the service has not given it one.
func (e *Entity) UUID() string { return text(e.Fields, "uuid") }

func (e *Entity) copy() *Entity {
	return &Entity{Kind: e.Kind, Fields: Plain(e.Fields).(Object), Tag: e.Tag}
}

// World is a catalogue with the people who edit it.
type World struct {
	Entities []*Entity // in the order of their making
	Gone     []*Entity // deleted ones
	People   []*Person
	Labels   []string // the keys that exist
	// Contributors are the uuids under which contributors can be named, each with that of the
	// contributor.
	Contributors map[string]string
}

// Find returns an entity, or nil.
func (w *World) Find(kind, uuid string) *Entity {
	for _, e := range w.Entities {
		if e.Kind == kind && e.UUID() == uuid {
			return e
		}
	}
	return nil
}

// Lookup returns the entity of any kind with a uuid, or nil.
func (w *World) Lookup(uuid string) *Entity {
	at := slices.IndexFunc(w.Entities, func(e *Entity) bool { return e.UUID() == uuid })
	if at < 0 {
		return nil
	}
	return w.Entities[at]
}

// Of returns the entities of a kind that belong to an organization; of any when org is "".
func (w *World) Of(kind, org string) []*Entity {
	var found []*Entity
	for _, e := range w.Entities {
		if e.Kind == kind && (org == "" || w.OrganizationOf(kind, e.Fields) == org) {
			found = append(found, e)
		}
	}
	return found
}

// OrganizationOf returns the uuid of the organization that an entity belongs to; "" when what it
// belongs to does not exist.
func (w *World) OrganizationOf(kind string, fields Object) string {
	switch kind {
	case Organization:
		return text(fields, "uuid")
	case Space:
		if venue := w.Find(Venue, text(fields, "venue_uuid")); venue != nil {
			return text(venue.Fields, "org_uuid")
		}
		return ""
	default:
		return text(fields, "org_uuid")
	}
}

// Plain returns a copy of a value with the types that decoding its JSON gives it.
func Plain(value any) any {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err) // plain values always encode
	}
	var plain any
	if err := json.Unmarshal(encoded, &plain); err != nil {
		panic(err)
	}
	return plain
}

func text(o Object, key string) string {
	value, _ := o[key].(string)
	return value
}

// Parts returns the objects of a list.
func Parts(o Object, key string) []Object {
	list, _ := o[key].([]any)
	parts := make([]Object, len(list))
	for i, part := range list {
		parts[i] = part.(Object)
	}
	return parts
}

func setParts(o Object, key string, parts []Object) {
	list := make([]any, len(parts))
	for i, part := range parts {
		list[i] = part
	}
	o[key] = list
}

// part returns the place of the part with a uuid, or -1.
func part(parts []Object, uuid string) int {
	return slices.IndexFunc(parts, func(p Object) bool { return text(p, "uuid") == uuid })
}

// assign writes the fields of a body: null and the empty text clear.
func assign(to, blank, body Object) {
	for key, value := range body {
		if key == "texts" {
			to[key] = merged(to[key], value)
			continue
		}
		if value == nil || value == "" {
			value = blank[key]
		}
		to[key] = Plain(value)
	}
}

// made returns a part or entity with the fields of a body, and all others clear.
func made(blank, body Object) Object {
	fields := Plain(blank).(Object)
	assign(fields, blank, body)
	return fields
}

// isBlank reports whether a value clears.
func isBlank(value any) bool {
	o, isObject := value.(Object)
	return value == nil || value == "" || isObject && len(o) == 0
}

// textsOf calls a function with the translations of the texts of the dates, or of the images, and
// leaves out what is empty then.
func textsOf(parts string, entity Object, change func(translated Object)) {
	texts, _ := entity["texts"].(Object)
	for language, text := range texts {
		fields := text.(Object)
		if translated, _ := fields[parts].(Object); translated != nil {
			if change(translated); len(translated) == 0 {
				delete(fields, parts)
			}
			if len(fields) == 0 {
				delete(texts, language)
			}
		}
	}
}

// merged returns translations after an edit: of languages and their texts those stay that it does
// not name, and what it clears goes.
func merged(stored, edit any) Object {
	texts := Object{}
	if given, _ := edit.(Object); given != nil {
		was, _ := stored.(Object)
		for language, text := range was {
			texts[language] = Plain(text)
		}
		for language, text := range given {
			fields, _ := texts[language].(Object)
			if fields == nil {
				fields = Object{}
			}
			change, _ := text.(Object)
			for name, value := range change {
				if name == "dates" || name == "images" {
					value = merged(fields[name], value)
				}
				if fields[name] = value; isBlank(value) {
					delete(fields, name)
				}
			}
			if texts[language] = fields; change == nil || len(fields) == 0 {
				delete(texts, language)
			}
		}
	}
	return texts
}
