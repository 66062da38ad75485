package feed

import (
	"slices"

	"litfass/pkg/contracts/publicapi"
)

// contributor describes a person or a group in the vocabulary of schema.org.
type contributor struct {
	Type   string   `json:"@type"` // Person or PerformingGroup
	ID     string   `json:"@id"`
	Name   string   `json:"name"`
	URL    string   `json:"url"`
	SameAs []string `json:"sameAs,omitempty"`
}

// work is a work whose title the catalogue does not know. The vocabulary has authors of works, and
// none of events.
type work struct {
	Type    string      `json:"@type"`
	Authors []reference `json:"author"`
}

// reference names a node that is described elsewhere in the document.
type reference struct {
	ID string `json:"@id"`
}

// performing are the roles of those whom visitors see or hear.
var performing = map[string]bool{
	"performer": true, "ensemble": true, "soloist": true, "conductor": true, "speaker": true, "reader": true, "moderator": true,
	"dj": true, "guide": true,
}

// name adds contributors under the properties of their roles, each once under a property.
func (e *event) name(s Site, named []publicapi.Participant) {
	for _, p := range named {
		list := &e.Contributors
		switch {
		case performing[p.Role]:
			list = &e.Performers
		case p.Role == "director":
			list = &e.Directors
		case p.Role == "composer":
			list = &e.Composers
		}
		id := s.URL + "/contributor/" + p.UUID
		if p.Role == "author" {
			e.author(id)
		}
		if slices.ContainsFunc(*list, func(c contributor) bool { return c.ID == id }) {
			continue
		}
		c := contributor{Type: "Person", ID: id, Name: line(p.Name), URL: id}
		if p.Type == "group" {
			c.Type = "PerformingGroup"
		}
		if address := link(p.WebLink); address != "" {
			c.SameAs = append(c.SameAs, address)
		}
		if p.Wikidata != "" {
			c.SameAs = append(c.SameAs, "https://www.wikidata.org/wiki/"+string(p.Wikidata))
		}
		*list = append(*list, c)
	}
}

// author adds an author of the work that the event is about.
func (e *event) author(id string) {
	if len(e.Works) == 0 {
		e.Works = []work{{Type: "CreativeWork"}}
	}
	authors := &e.Works[0].Authors
	if !slices.Contains(*authors, reference{id}) {
		*authors = append(*authors, reference{id})
	}
}
