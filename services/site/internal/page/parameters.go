package page

import (
	"net/url"
	"slices"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/site/internal/view"
)

var (
	// DayParameters select dates by their days.
	DayParameters = view.DayParameters
	// Circle are the parameters of a circle around a place.
	Circle = []string{"lon", "lat", "radius"}
	// Cursor are the parameters that select a page of a list.
	Cursor = []string{"last_event_start_at", "last_event_date_uuid", "offset", "limit"}
)

// Has reports whether the address has a value for a parameter.
func (r *Request) Has(name string) bool { return r.Value(name) != "" }

// Value returns the first value of a parameter, "" for none.
func (r *Request) Value(name string) string {
	for _, value := range r.Parameters[name] {
		if value = strings.TrimSpace(value); value != "" {
			return value
		}
	}
	return ""
}

// Items returns the values of a list parameter, each once.
func (r *Request) Items(name string) (items []string) {
	for _, value := range r.Parameters[name] {
		for item := range strings.SplitSeq(value, ",") {
			if item = strings.TrimSpace(item); item != "" && !slices.Contains(items, item) {
				items = append(items, item)
			}
		}
	}
	return items
}

// LinkWith returns the address of the first page with a parameter set to values; none removes it.
func (r *Request) LinkWith(name string, values ...string) string {
	filter := r.Filter(append([]string{name}, Cursor...)...)
	if len(values) > 0 {
		filter.Set(name, strings.Join(values, ","))
	}
	return r.Link(r.Path, filter)
}

// LinkWithout returns the address of the first page without some parameters.
func (r *Request) LinkWithout(names ...string) string {
	return r.Link(r.Path, r.Filter(append(names, Cursor...)...))
}

// LinkWithoutValue returns the address of the first page without one value of a list parameter.
func (r *Request) LinkWithoutValue(name, value string) string {
	return r.LinkWith(name, slices.DeleteFunc(r.Items(name), func(item string) bool { return item == value })...)
}

// Clone copies parameters except for some of them.
func Clone(parameters url.Values, without ...string) url.Values {
	copied := url.Values{}
	for name, values := range parameters {
		if !slices.Contains(without, name) {
			copied[name] = slices.Clone(values)
		}
	}
	return copied
}

// Invalid returns the fault of a parameter of a page.
func Invalid(field string, why *reason.Reason) error {
	f := fault.New(fault.Invalid, "invalid_parameters", "the address is not valid")
	f.Violations = []fault.Violation{fault.Violate(field, why)}
	return f
}
