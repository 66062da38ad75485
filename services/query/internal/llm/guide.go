package llm

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Guide is the text /llms.txt (https://llmstxt.org): what programs, language models among them, can
// read here, with links that answer as they stand.
type Guide struct {
	site  Site
	d     document
	parts []part
}

// part is a part of the description that the guide lists.
type part struct{ tag, title string }

// listed are the parts of the guide. The lists for forms come last: readers in a hurry leave out a
// part with the title "Optional".
var listed = []part{
	{"Events", "Events"}, {"Places", "Places"}, {"Organizations", "Organizations"}, {"Open data", "Open data"}, {"Choosable lists", "Optional"},
}

// openData is the part that there is only with files.
const openData = "Open data"

// NewGuide returns the guide to the operations that a description describes.
func NewGuide(description []byte, site Site) Guide {
	return Guide{site: site, d: read(description), parts: listed}
}

// Text returns the guide. files are the names of the files with the whole catalogue, none where
// there are none.
func (g Guide) Text(files []string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n> %s\n\n", g.site.Name, strings.ReplaceAll(instructions(g.site), "\n", " "))
	fmt.Fprintf(&b, "The public API answers without a login, at a limited rate. Every search is also a feed with the same parameters.\n\n")
	fmt.Fprintf(&b, "## Start here\n\n")
	g.link(&b, "/developers", "For developers", "examples that run, from a question to a list on a website")
	g.link(&b, "/api/openapi.json", "OpenAPI document", "every operation with its parameters, answers, errors and examples")
	g.link(&b, "/api/docs", "API documentation", "the same for people")
	fmt.Fprintf(&b, "\n## Model Context Protocol\n\nA server for language models answers by Streamable HTTP at `%s/mcp`, without a login. Its tools only read:\n\n", g.site.URL)
	for _, t := range tools {
		fmt.Fprintf(&b, "- `%s`: %s\n", t.name, t.description)
	}
	for _, p := range g.parts {
		g.write(&b, p, files)
	}
	return []byte(b.String())
}

// write writes a part with the operations that a link can ask.
func (g Guide) write(b *strings.Builder, p part, files []string) {
	if p.tag == openData && len(files) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", p.title)
	var paths []string
	for path, methods := range g.d.Paths {
		if tags, _ := methods["get"]["tags"].([]any); slices.Contains(tags, any(p.tag)) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		operation := g.d.Paths[path]["get"]
		if address, ok := g.address(path, operation); ok {
			g.link(b, address, operation["summary"].(string), firstSentence(operation))
		}
	}
	if p.tag == openData {
		for _, file := range files {
			g.link(b, "/api/dumps/"+file, file, "the whole public catalogue, written once a day")
		}
	}
}

// address returns the address of an operation with examples of the parameters that it requires; ok
// is false when a part of its path names an entity.
func (g Guide) address(path string, operation object) (address string, ok bool) {
	query := url.Values{}
	for _, parameter := range g.d.parameters(operation) {
		switch {
		case parameter["in"] == "path":
			return "", false
		case parameter["required"] == true:
			query.Set(parameter["name"].(string), example(parameter))
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path, true
}

// example returns the example of a parameter that its description has, as an address takes it.
func example(parameter object) string {
	if value, own := parameter["example"]; own {
		return fmt.Sprint(value)
	}
	examples, _ := parameter["schema"].(object)["examples"].([]any)
	if len(examples) == 0 {
		return ""
	}
	items, list := examples[0].([]any)
	if !list {
		return fmt.Sprint(examples[0])
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = fmt.Sprint(item)
	}
	return strings.Join(texts, ",")
}

func (g Guide) link(b *strings.Builder, path, title, about string) {
	fmt.Fprintf(b, "- [%s](%s%s)", title, g.site.URL, path)
	if about != "" {
		b.WriteString(": " + about)
	}
	b.WriteString("\n")
}

// firstSentence returns the beginning of an operation's description, "" without one.
func firstSentence(operation object) string {
	text, _ := operation["description"].(string)
	text, _, _ = strings.Cut(text, "\n\n")
	text = strings.Join(strings.Fields(text), " ")
	if end := strings.Index(text, ". "); end >= 0 {
		text = text[:end+1]
	}
	return text
}
