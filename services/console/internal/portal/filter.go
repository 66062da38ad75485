package portal

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"litfass/pkg/contracts/adminapi"
)

// fields are the fields of a filter by their names in the search.
var fields = func() map[string]reflect.StructField {
	known := map[string]reflect.StructField{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[adminapi.PortalFilter]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		known[name] = field
	}
	return known
}()

// filterOf reads the address of a search, or its parameters. refused is the name of a part that a
// portal does not take, or the value that is no number; "" for none.
func filterOf(address string) (f adminapi.PortalFilter, refused string) {
	if _, query, whole := strings.Cut(address, "?"); whole {
		address = query
	}
	given, err := url.ParseQuery(strings.TrimSpace(address))
	if err != nil {
		return f, address
	}
	object := map[string]any{}
	for name, values := range given {
		field, known := fields[name]
		text := strings.Join(slices.DeleteFunc(values, func(value string) bool { return value == "" }), ",")
		switch {
		case text == "" || name == "lang": // an empty field of a form
		case !known:
			return f, name
		case field.Type.Kind() == reflect.Slice && field.Type.Elem().Kind() == reflect.Int:
			object[name] = json.RawMessage("[" + text + "]")
		case field.Type.Kind() == reflect.Slice:
			object[name] = strings.Split(text, ",")
		case field.Type.Kind() == reflect.Pointer:
			object[name] = json.RawMessage(text)
		default:
			object[name] = text
		}
	}
	for name, value := range object {
		written, err := json.Marshal(map[string]any{name: value})
		if err == nil {
			err = json.Unmarshal(written, &f)
		}
		if err != nil {
			return f, name
		}
	}
	return f, ""
}

// queryOf writes a filter as the parameters of a search, each on a line.
func queryOf(f adminapi.PortalFilter) string {
	from, parameters := reflect.ValueOf(f), url.Values{}
	for name, field := range fields {
		switch value := from.FieldByIndex(field.Index).Interface().(type) {
		case []int:
			for _, n := range value {
				parameters.Add(name, strconv.Itoa(n))
			}
		case []string:
			for _, text := range value {
				parameters.Add(name, text)
			}
		case *float64:
			if value != nil {
				parameters.Set(name, strconv.FormatFloat(*value, 'f', -1, 64))
			}
		case string:
			if value != "" {
				parameters.Set(name, value)
			}
		}
	}
	return parameters.Encode()
}

// entityAddress is the part of an address of the site that names an organization, a venue or an
// event.
var entityAddress = regexp.MustCompile(`(?i)/(organization|venue|event)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`)

// selectionOf reads addresses of pages of the site, one a line. refused is a line that is none; ""
// without.
func selectionOf(lines string) (s adminapi.PortalSelection, refused string) {
	s = adminapi.PortalSelection{OrgUUIDs: []string{}, VenueUUIDs: []string{}, EventUUIDs: []string{}}
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		found := entityAddress.FindStringSubmatch(line)
		if found == nil {
			return s, line
		}
		switch uuid := strings.ToLower(found[2]); strings.ToLower(found[1]) {
		case "organization":
			s.OrgUUIDs = append(s.OrgUUIDs, uuid)
		case "venue":
			s.VenueUUIDs = append(s.VenueUUIDs, uuid)
		default:
			s.EventUUIDs = append(s.EventUUIDs, uuid)
		}
	}
	return s, ""
}

// addressesOf writes a selection as selectionOf reads it.
func addressesOf(s adminapi.PortalSelection) string {
	var lines strings.Builder
	for _, kind := range []struct {
		name  string
		uuids []string
	}{{"organization", s.OrgUUIDs}, {"venue", s.VenueUUIDs}, {"event", s.EventUUIDs}} {
		for _, uuid := range kind.uuids {
			fmt.Fprintf(&lines, "/%s/%s\n", kind.name, uuid)
		}
	}
	return lines.String()
}
