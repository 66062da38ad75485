package wordpress

import (
	"maps"
	"regexp"
	"slices"
	"testing"
)

// elements are elements with their attributes.
type elements map[string]map[string]bool

func (e elements) add(name string, attributes ...string) {
	if e[name] == nil {
		e[name] = map[string]bool{}
	}
	for _, attribute := range attributes {
		e[name][attribute] = true
	}
}

var (
	entryOf  = regexp.MustCompile(`(?m)^\t\t'(\w+)'\s+=> (.*),$`)
	sharedOf = regexp.MustCompile(`(?m)^\t\$(\w+)\s+= (.*);$`)
	itemOf   = regexp.MustCompile(`'([\w-]+)' => (?:true|array\( 'value_callback')|\$(\w+)`)
)

// allowedByPlugin returns the elements of allowed_html() in includes/html.php.
func allowedByPlugin(t *testing.T) elements {
	t.Helper()
	code := read(t, plugin(t), "includes/html.php")
	shared := map[string]string{}
	for _, found := range sharedOf.FindAllStringSubmatch(code, -1) {
		shared[found[1]] = found[2]
	}
	allowed := elements{}
	var add func(element, value string)
	add = func(element, value string) {
		for _, item := range itemOf.FindAllStringSubmatch(value, -1) {
			if item[1] != "" {
				allowed.add(element, item[1])
			} else {
				add(element, shared[item[2]])
			}
		}
	}
	for _, found := range entryOf.FindAllStringSubmatch(code, -1) {
		allowed.add(found[1])
		add(found[1], found[2])
	}
	return allowed
}

var (
	component = regexp.MustCompile(`(?ms)^templ (\w+)\(.*?^}$`)
	opening   = regexp.MustCompile(`(?s)<([a-z][a-z0-9]*)((?:\s[^<>]*?(?:\{[^}]*\})?)*?)/?>`)
	nameOf    = regexp.MustCompile(`([a-z][a-z-]*)=(?:\{|")`)
)

// ofFragments returns the elements of fragments, by the template that renders them. Those of frames
// are left out: documents, h1, and links to other weeks.
func ofFragments(t *testing.T) elements {
	t.Helper()
	files := tree(t, "services", "site", "internal")
	source := read(t, files, "embed/embed.templ") + read(t, files, "view/violation.templ")
	used := elements{}
	for _, found := range component.FindAllStringSubmatch(source, -1) {
		if found[1] == "embedDocument" {
			continue
		}
		for _, tag := range opening.FindAllStringSubmatch(found[0], -1) {
			if tag[1] == "h1" {
				continue
			}
			used.add(tag[1])
			for _, attribute := range nameOf.FindAllStringSubmatch(tag[2], -1) {
				if attribute[1] != "target" { // leads out of a frame
					used.add(tag[1], attribute[1])
				}
			}
		}
	}
	return used
}

// TestPagesTakeWhatFragmentsHave: all of it, and nothing else.
func TestPagesTakeWhatFragmentsHave(t *testing.T) {
	allowed, used := allowedByPlugin(t), ofFragments(t)
	if len(used) < 15 {
		t.Fatalf("the template has only %v", used)
	}
	for _, element := range slices.Sorted(maps.Keys(used)) {
		for attribute := range used[element] {
			if !allowed[element][attribute] {
				t.Errorf("pages lose %s of %s", attribute, element)
			}
		}
		if allowed[element] == nil {
			t.Errorf("pages lose %s", element)
		}
	}
	for _, element := range slices.Sorted(maps.Keys(allowed)) {
		for attribute := range allowed[element] {
			if !used[element][attribute] {
				t.Errorf("no fragment has %s of %s", attribute, element)
			}
		}
	}
}
