package event

import (
	"slices"
	"strconv"
	"strings"

	"litfass/services/console/internal/version"
)

// folded are the sections below the short form, which show in a line what is filled in.
var folded = []string{"kind", "audience", "tickets", "languages", "links", "accessibility", "release"}

// maxFilled is how many characters of a line of values are shown.
const maxFilled = 160

// filled returns the values of a folded section in a line, "" for none.
func (s *sheet) filled(name string, values version.Values) string {
	var words []string
	switch name {
	case "accessibility":
		for _, at := range s.places {
			words = append(words, at.words)
		}
	case "links":
		if count := len(s.event.EventLinks); count > 0 {
			words = append(words, s.Text.Count("event.links", count))
		}
	case "release":
		words = append(words, s.Text.T("event.status."+s.event.ReleaseStatus))
	}
	for _, g := range groups[name] {
		for _, key := range g.keys {
			words = append(words, s.valueWords(key, values))
		}
	}
	line := []rune(strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " · "))
	if len(line) > maxFilled {
		line = append(line[:maxFilled-1], '…')
	}
	return string(line)
}

// valueWords writes a value so that it can stand without its label: a number has its label.
func (s *sheet) valueWords(key string, values version.Values) string {
	words := s.words(key, values)
	if _, err := strconv.Atoi(words); err == nil {
		return s.Text.T("event.field."+key) + ": " + words
	}
	return words
}

// filledOf returns the folded section that shows a key, "" for none.
func filledOf(key string) string {
	for _, name := range folded {
		for _, g := range groups[name] {
			if slices.Contains(g.keys, key) {
				return name
			}
		}
	}
	return ""
}

// opened reports whether a part of a folded section is shown as it was sent, without scripts.
func (s *sheet) opened(name string) bool {
	for id := range s.drawn {
		if name == "links" && (id == "new-link" || strings.HasPrefix(id, "link-")) {
			return true
		}
		if slices.ContainsFunc(groups[name], func(g group) bool { return id == "edit-"+g.name }) {
			return true
		}
	}
	return false
}
