package eventfile

import (
	"regexp"
	"strings"
)

// Contributor is a contributor as a file names it.
type Contributor struct {
	Role  string // as it is written, "" for none
	Name  string
	Note  string   // which was in parentheses, "" for none
	Links []string // addresses of its pages
}

var (
	linkOfContributor = regexp.MustCompile(`\s*<?\b(https?://[^\s<>]+)>?`)
	noteOfContributor = regexp.MustCompile(`^(.*\S)\s*\(([^()]+)\)$`)
)

// ReadContributors reads names that are separated by semicolons, line ends, or without those by
// commas: "Regie: Anna Thomsen; Trio Nord (Kiel) https://trio.example". isRole reports whether a
// text is the name of a role, which stands before a colon or in parentheses; other texts in
// parentheses are notes.
func ReadContributors(text string, isRole func(text string) bool) (list []Contributor) {
	separators := ";\n\r"
	if !strings.ContainsAny(text, separators) {
		separators = ","
	}
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(separators, c) }) {
		var c Contributor
		for _, found := range linkOfContributor.FindAllStringSubmatch(part, -1) {
			c.Links = append(c.Links, found[1])
		}
		c.Name = strings.TrimSpace(linkOfContributor.ReplaceAllString(part, ""))
		if role, name, split := strings.Cut(c.Name, ":"); split && isRole(strings.TrimSpace(role)) {
			c.Role, c.Name = strings.TrimSpace(role), strings.TrimSpace(name)
		}
		if found := noteOfContributor.FindStringSubmatch(c.Name); found != nil {
			c.Name = found[1]
			if within := strings.TrimSpace(found[2]); c.Role == "" && isRole(within) {
				c.Role = within
			} else {
				c.Note = within
			}
		}
		if c.Name != "" {
			list = append(list, c)
		}
	}
	return list
}

// writeContributor writes a contributor as ReadContributors reads it.
func writeContributor(c Contributor) string {
	plain := strings.NewReplacer(";", ",", "\n", " ", "\r", " ")
	text := plain.Replace(c.Name)
	if c.Role != "" {
		text = c.Role + ": " + text
	}
	for _, link := range c.Links {
		if linkOfContributor.MatchString(link) {
			text += " " + plain.Replace(link)
		}
	}
	return text
}
