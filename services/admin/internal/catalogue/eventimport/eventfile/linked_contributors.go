package eventfile

import (
	"slices"
	"strings"
)

// propertiesOfContributors are the properties of schema.org that name contributors, with the roles
// of persons.
var propertiesOfContributors = []struct{ name, role string }{
	{"performer", "performer"}, {"performers", "performer"}, {"actor", "performer"}, {"actors", "performer"},
	{"director", "director"}, {"author", "author"}, {"composer", "composer"}, {"contributor", "other"},
}

// readContributors reads the contributors of an event as a list of names. Those without one are
// left out.
func (l *linkedEvents) readContributors(e linkedEvent, o object) {
	var all []string
	size, written := 0, l.authorsOfWorks(o)
	for _, property := range propertiesOfContributors {
		items := firstOf(o[property.name])
		if property.name == "author" {
			items = append(slices.Clone(items), written...)
		}
		for _, item := range items {
			c := Contributor{Role: property.role}
			if one := l.resolve(item); one != nil {
				c.Name, c.Links = textOf(one["name"]), linksOf(one)
				if property.role == "performer" && isGroup(one) {
					c.Role = "ensemble"
				}
			} else {
				c.Name = textOf(item)
			}
			if property.name == "contributor" && l.isAmong(item, written) { // in no other role
				continue
			}
			text := writeContributor(c)
			if size += len(text); c.Name == "" || size > maxTexts || !l.work.Spend(stepsOfTextByte*len(text)+len(all)) {
				continue
			}
			if !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	text := strings.Join(all, "; ")
	if len(all) == 1 && strings.Contains(text, ",") {
		text += ";" // else the comma would separate
	}
	e.values["performer"] = text
}

// authorsOfWorks returns the authors of the works of an event: an event itself has none.
func (l *linkedEvents) authorsOfWorks(o object) (authors []any) {
	for _, name := range []string{"workPerformed", "workFeatured"} {
		for _, item := range firstOf(o[name]) {
			if work := l.resolve(item); work != nil {
				authors = append(authors, firstOf(work["author"])...)
			}
		}
	}
	return authors
}

// isAmong reports whether an object is one of others, by its @id.
func (l *linkedEvents) isAmong(item any, others []any) bool {
	one := l.resolve(item)
	id := textOf(one["@id"])
	return id != "" && slices.ContainsFunc(others, func(other any) bool { return textOf(l.resolve(other)["@id"]) == id })
}

// linksOf returns the addresses of the pages of an object: those elsewhere first.
func linksOf(o object) (links []string) {
	for _, item := range append(listOf(o["sameAs"]), o["url"]) {
		if link := textOf(item); strings.HasPrefix(link, "http") && !slices.Contains(links, link) && len(links) < 3 {
			links = append(links, link)
		}
	}
	return links
}

// isGroup reports whether an object is a group of persons.
func isGroup(o object) bool {
	return slices.ContainsFunc(typesOf(o), func(name string) bool {
		return strings.HasSuffix(name, "Group") || strings.HasSuffix(name, "Organization")
	})
}
