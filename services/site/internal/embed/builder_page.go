package embed

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"litfass/services/site/internal/view"
)

// Builder is the data of the form that composes a list for another website, with its result.
type Builder struct {
	view.Shown
	Filter     url.Values
	Snippet    Snippet
	Carried    []Carried
	Categories []Choosable
	EventTypes []Choosable
	Preview    Embedded
}

// Choosable is a value that a filter takes, with its name.
type Choosable struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

// Carried is a filter that the form has no field for, with the address of the form without it.
type Carried struct{ Name, Value, Without string }

// has reports whether a list in the filter holds an id.
func (b Builder) has(name string, id int) bool {
	for _, value := range b.Filter[name] {
		if slices.Contains(strings.Split(value, ","), strconv.Itoa(id)) {
			return true
		}
	}
	return false
}

// carries reports whether a filter is carried on, so that it has no field.
func (b Builder) carries(name string) bool {
	return slices.ContainsFunc(b.Carried, func(c Carried) bool { return c.Name == name })
}

// builderPage is the page of the builder.
func builderPage(b Builder) view.Page {
	return view.Page{
		Title: b.Text.T("builder.title"), Description: b.Text.T("builder.intro"), Canonical: "/embed/builder",
		Scripts: []string{"builder.js"}, Content: builder(b),
	}
}
