package developers

import (
	"net/url"
	"strings"
)

// example is a request that visitors can change and send.
type example struct {
	id     string // unique on the page
	path   string
	fields []field
	body   string // of a POST; "" for a GET
}

// field is a parameter of an example.
type field struct {
	name, value string
	// from is the part of an answer that is the value of the next request, such as the place at which
	// the next page begins; "" for none.
	from string
}

// get returns an example with parameters: names and values in turn.
func get(id, path string, parameters ...string) example {
	e := example{id: id, path: path}
	for i := 0; i+1 < len(parameters); i += 2 {
		e.fields = append(e.fields, field{name: parameters[i], value: parameters[i+1]})
	}
	return e
}

// next adds parameters that come from the answer before.
func (e example) next(names ...string) example {
	for i := 0; i+1 < len(names); i += 2 {
		e.fields = append(e.fields, field{name: names[i], from: names[i+1]})
	}
	return e
}

// method returns the method of the request.
func (e example) method() string {
	if e.body != "" {
		return "POST"
	}
	return "GET"
}

// curl returns the command that sends the request to an address. The script of the page writes the
// same when a field changes.
func (e example) curl(public string) string {
	if e.body != "" {
		return "curl " + quoted(public+e.path) + " -H 'Content-Type: application/json' \\\n  -d " + quoted(e.body)
	}
	query := make([]string, 0, len(e.fields))
	for _, f := range e.fields {
		if f.value != "" {
			query = append(query, f.name+"="+strings.ReplaceAll(url.QueryEscape(f.value), "%2C", ","))
		}
	}
	if len(query) == 0 {
		return "curl " + quoted(public+e.path)
	}
	return "curl " + quoted(public+e.path+"?"+strings.Join(query, "&"))
}

// quoted returns a text as a word of a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
