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
	size := 0
	for _, property := range propertiesOfContributors {
		for _, item := range firstOf(o[property.name]) {
			c := Contributor{Role: property.role}
			if one := l.resolve(item); one != nil {
				c.Name, c.Links = textOf(one["name"]), linksOf(one)
				if property.role == "performer" && isGroup(one) {
					c.Role = "ensemble"
				}
			} else {
				c.Name = textOf(item)
			}
			text := writeContributor(c)
			if size += len(text); c.Name == "" || size > maxTexts {
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
