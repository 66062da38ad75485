package page

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// daysOfFilter are the parameters that say when dates are.
var daysOfFilter = []string{"start", "end", "on", "starts_before", "ongoing"}

// has reports whether the address has a value for a parameter.
func (r *Request) has(name string) bool { return r.value(name) != "" }

// value returns the first value of a parameter, "" for none.
func (r *Request) value(name string) string {
	for _, value := range r.Parameters[name] {
		if value = strings.TrimSpace(value); value != "" {
			return value
		}
	}
	return ""
}

// items returns the values of a list parameter, each once.
func (r *Request) items(name string) (items []string) {
	for _, value := range r.Parameters[name] {
		for item := range strings.SplitSeq(value, ",") {
			if item = strings.TrimSpace(item); item != "" && !slices.Contains(items, item) {
				items = append(items, item)
			}
		}
	}
	return items
}

// with returns the address of the first page with a parameter set to values; none removes it.
func (r *Request) with(name string, values ...string) string {
	filter := r.Filter(append([]string{name}, cursor...)...)
	if len(values) > 0 {
		filter.Set(name, strings.Join(values, ","))
	}
	return r.Link(r.Path, filter)
}

// without returns the address of the first page without some parameters.
func (r *Request) without(names ...string) string {
	return r.Link(r.Path, r.Filter(append(names, cursor...)...))
}

// less returns the address of the first page without one value of a list parameter.
func (r *Request) less(name, value string) string {
	return r.with(name, slices.DeleteFunc(r.items(name), func(item string) bool { return item == value })...)
}

// clone copies parameters but for some of them.
func clone(parameters url.Values, without ...string) url.Values {
	copied := url.Values{}
	for name, values := range parameters {
		if !slices.Contains(without, name) {
			copied[name] = slices.Clone(values)
		}
	}
	return copied
}

// entriesOf reads a number of the program itself.
func entriesOf(size string) int {
	n, err := strconv.Atoi(size)
	if err != nil {
		panic(err)
	}
	return n
}
