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
	view.Scope
	Filter     url.Values
	Snippet    Snippet
	Extra      []ExtraFilter
	Categories []Choosable
	EventTypes []Choosable
	Preview    Embed
}

// Choosable is a value that a filter takes, with its name.
type Choosable struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

// ExtraFilter is a filter that the form has no field for, with the address of the form without it.
type ExtraFilter struct{ Name, Value, Without string }

// has reports whether a list in the filter holds an id.
func (b Builder) has(name string, id int) bool {
	for _, value := range b.Filter[name] {
		if slices.Contains(strings.Split(value, ","), strconv.Itoa(id)) {
			return true
		}
	}
	return false
}

// isExtra reports whether the form carries a filter on without a field for it.
func (b Builder) isExtra(name string) bool {
	return slices.ContainsFunc(b.Extra, func(f ExtraFilter) bool { return f.Name == name })
}

// builderPage is the page of the builder.
func builderPage(b Builder) view.Page {
	return view.Page{
		Title: b.Text.T("builder.title"), Description: b.Text.T("builder.intro"), Canonical: "/embed/builder",
		Scripts: []string{"builder.js"}, Content: builder(b),
	}
}
