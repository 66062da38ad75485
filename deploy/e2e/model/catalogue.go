package model

import (
	"bytes"
	"encoding/json"

	"litfass/deploy/e2e/reference"
)

// Catalogue returns the catalogue for the reference, with regions, which the people do not edit.
func (w *World) Catalogue(regions []*reference.Region) *reference.Catalogue {
	c := w.Places()
	c.Regions = regions
	for _, e := range w.Of(Event, "") {
		c.Events = append(c.Events, as[reference.Event](e))
	}
	return c
}

// Places returns the catalogue without events and regions.
func (w *World) Places() *reference.Catalogue {
	c := &reference.Catalogue{}
	for _, e := range w.Entities {
		switch e.Kind {
		case Organization:
			c.Organizations = append(c.Organizations, as[reference.Organization](e))
		case Venue:
			c.Venues = append(c.Venues, as[reference.Venue](e))
		case Space:
			c.Spaces = append(c.Spaces, as[reference.Space](e))
		case Series:
			c.Series = append(c.Series, as[reference.Series](e))
		}
	}
	return c
}

// as returns the fields of an entity that the reference knows.
func as[T any](e *Entity) *T {
	known := new(T)
	if err := json.Unmarshal(encode(e.Fields), known); err != nil {
		panic(err) // both are shapes of the catalog file
	}
	return known
}

func encode(value any) []byte {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return encoded
}

// Lines returns the entities as lines of a catalog file, in the order of their making.
func (w *World) Lines() []byte {
	var lines bytes.Buffer
	for _, e := range w.Entities {
		line := Plain(e.Fields).(Object)
		line["kind"] = e.Kind
		lines.Write(append(encode(line), '\n'))
	}
	return lines.Bytes()
}
