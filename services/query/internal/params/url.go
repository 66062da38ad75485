package params

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/spelling"
)

// maxUnknown is the number of unknown names that are reported one by one.
const maxUnknown = 50

// splitURL returns the parameters of a query string in the order in which they first occur, without
// empty ones. Unknown names with a value and invalid encodings are violations.
func (r *reader) splitURL(rawQuery string) []argument {
	var params []argument
	at := map[string]int{}
	unknown := map[string]bool{}
	for pair := range strings.SplitSeq(rawQuery, "&") {
		name, value, ok := r.decode(pair)
		if !ok {
			continue
		}
		if value == "" {
			continue
		}
		if !r.known(name) {
			r.unknown(name, unknown)
			continue
		}
		i, known := at[name]
		if !known {
			i = len(params)
			at[name] = i
			params = append(params, argument{name: name})
		}
		params[i].values = append(params[i].values, value)
	}
	return params
}

// decode splits and decodes name=value; ok is false for an empty pair and for an invalid encoding.
func (r *reader) decode(pair string) (name, value string, ok bool) {
	if pair == "" {
		return "", "", false
	}
	rawName, rawValue, _ := strings.Cut(pair, "=")
	name, nameErr := url.QueryUnescape(rawName)
	if nameErr != nil {
		name = rawName
	}
	value, valueErr := url.QueryUnescape(rawValue)
	if nameErr != nil || valueErr != nil {
		r.field = spelling.Shorten(name)
		r.bad(reason.NotPercentEncoded)
		return "", "", false
	}
	return name, value, true
}

// known reports whether the operation takes a parameter of this name.
func (r *reader) known(name string) bool {
	_, known := r.takes[name]
	return known
}

// unknown notes a name that the operation does not take, once.
func (r *reader) unknown(name string, noted map[string]bool) {
	if noted[name] {
		return
	}
	noted[name] = true
	r.field = spelling.Shorten(name)
	if len(noted) <= maxUnknown {
		r.bad(spelling.Unknown(name, slices.Collect(maps.Keys(r.takes))))
	} else if len(noted) == maxUnknown+1 {
		r.bad(reason.UnknownAndMore)
	}
}
