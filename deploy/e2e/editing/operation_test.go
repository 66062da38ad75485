package editing

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
)

// operation is one that needs no login, as an OpenAPI document describes it.
type operation struct {
	method, path string
	parameters   []string // of the query
	required     []string // of these
	keys         []string // of the body's JSON object
}

// described is the part of an OpenAPI document that is read here.
type described struct {
	Security   []map[string]any
	Paths      map[string]map[string]json.RawMessage
	Components struct {
		Parameters map[string]parameter
		Schemas    map[string]schema
	}
}

type parameter struct {
	Ref      string `json:"$ref"`
	In, Name string
	Required bool
}

type schema struct {
	Ref        string `json:"$ref"`
	Properties map[string]any
}

// publicOperations returns the operations of the query service, and the reads of the admin service
// that need no login.
func publicOperations(s *harness.System, t *testing.T) []operation {
	t.Helper()
	all := operations(s, t, "/api/openapi.json")
	for _, o := range operations(s, t, "/api/admin/openapi.json") {
		if o.method == http.MethodGet {
			all = append(all, o)
		}
	}
	return all
}

// operations returns the operations of a document that need no login.
func operations(s *harness.System, t *testing.T, document string) []operation {
	t.Helper()
	answer, err := s.Client.Get(t.Context(), document)
	var d described
	if err == nil {
		err = json.Unmarshal(answer.Body, &d)
	}
	if err != nil {
		t.Fatalf("%s: %v", document, err)
	}
	var all []operation
	for path, methods := range d.Paths {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			raw, answered := methods[strings.ToLower(method)]
			if !answered {
				continue
			}
			if o, public := d.operation(t, raw); public {
				o.method, o.path = method, path
				all = append(all, o)
			}
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s describes no operation without a login", document)
	}
	return all
}

func (d described) operation(t *testing.T, raw json.RawMessage) (o operation, public bool) {
	t.Helper()
	var read struct {
		Security    *[]map[string]any
		Parameters  []parameter
		RequestBody struct {
			Content map[string]struct{ Schema schema }
		}
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatal(err)
	}
	for _, p := range read.Parameters {
		if p.Ref != "" {
			p = d.Components.Parameters[last(p.Ref)]
		}
		if p.In == "query" {
			o.parameters = append(o.parameters, p.Name)
		}
		if p.In == "query" && p.Required {
			o.required = append(o.required, p.Name)
		}
	}
	body := read.RequestBody.Content["application/json"].Schema
	if body.Ref != "" {
		body = d.Components.Schemas[last(body.Ref)]
	}
	o.keys = slices.Sorted(maps.Keys(body.Properties))
	security := d.Security
	if read.Security != nil {
		security = *read.Security
	}
	return o, len(security) == 0 || slices.ContainsFunc(security, func(scheme map[string]any) bool { return len(scheme) == 0 })
}

// last returns the name after the last slash of a reference.
func last(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// request is a call of an operation.
type request struct {
	operation  operation
	path, body string
	filled     []string // what stands in the places of the path
}

// requests returns calls of the operation: every place of its path filled with each of the ids,
// every parameter and every key of the body with each of the values, each of the queries that it
// understands, and all pages of a list.
func (o operation) requests(ids, values []string, queries []reference.Parameters) []request {
	if o.method == http.MethodPost {
		return o.posts(ids, values, queries)
	}
	all := o.filled(ids)
	first := all[0]
	ask := func(p reference.Parameters) {
		r := first
		r.path += "?" + client.Encode(p, false)
		all = append(all, r)
	}
	for _, name := range o.parameters {
		for _, value := range values {
			ask(reference.Parameters{name: value})
		}
	}
	for _, query := range queries {
		if o.takes(query) {
			ask(query)
		}
	}
	if o.takes(reference.Parameters{"limit": "", "offset": ""}) {
		for offset := 0; offset <= 1200; offset += 200 {
			page := reference.Parameters{"limit": "200", "offset": fmt.Sprint(offset)}
			for _, name := range o.required {
				page[name] = "e" // a part of a name
			}
			ask(page)
		}
	}
	return all
}

// takes reports whether the operation has every parameter of a query.
func (o operation) takes(query reference.Parameters) bool {
	for name := range query {
		if !slices.Contains(o.parameters, name) {
			return false
		}
	}
	return true
}

func (o operation) posts(ids, values []string, queries []reference.Parameters) []request {
	bodies := []map[string]any{{}}
	for _, key := range o.keys {
		for _, value := range values {
			bodies = append(bodies, map[string]any{key: value}, map[string]any{key: []string{value}})
		}
	}
	for _, query := range queries {
		if (operation{parameters: o.keys}).takes(query) {
			bodies = append(bodies, client.Body(query))
		}
	}
	var all []request
	for i, r := range o.filled(ids) {
		for _, body := range bodies {
			encoded, _ := json.Marshal(body) // texts and numbers always encode
			r.body = string(encoded)
			all = append(all, r)
			if i > 0 {
				break // the bodies are tried at one path
			}
		}
	}
	return all
}

var place = regexp.MustCompile(`\{[^}]+\}`)

// filled returns the paths of the operation with all combinations of the ids in their places.
func (o operation) filled(ids []string) []request {
	all := []request{{operation: o, path: o.path}}
	for range place.FindAllString(o.path, -1) {
		var longer []request
		for _, r := range all {
			at := place.FindStringIndex(r.path)
			for _, id := range ids {
				longer = append(longer, request{
					operation: o, path: r.path[:at[0]] + url.PathEscape(id) + r.path[at[1]:], filled: append(slices.Clone(r.filled), id),
				})
			}
		}
		all = longer
	}
	return all
}
