package params

import (
	"net/url"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/media/imaging"
)

// The maximum lengths of a list: in a URL, and in the body of a POST, which is meant for longer
// ones.
const (
	maxURLItems  = 1_000
	maxBodyItems = 10_000
)

// reader gathers a Query and all that is wrong with the request.
type reader struct {
	takes      map[string]parameter // by name
	post       bool                 // the operation takes a POST, too
	today      Day
	maxItems   int
	query      Query
	violations fault.Violations
	field      string // being read; violations are noted under it

	// Parameters that depend on each other are collected until all are read.
	circle  Circle
	cursor  Cursor
	variant url.Values      // of the operation Images, else nil
	seen    map[string]bool // parameters given with a value
}

// argument is a parameter of a request with its values, at least one.
type argument struct {
	name   string
	values []string
	apart  bool // the values are list items; otherwise each may hold several, separated by commas
}

// readAll reads all parameters, so that the fault names every bad one.
func (r *reader) readAll(params []argument) (Query, error) {
	r.seen = make(map[string]bool, len(params))
	for _, param := range params {
		r.field = param.name
		r.seen[param.name] = true
		r.one(param)
	}
	r.require()
	r.combine()
	if err := r.violations.Err("invalid_parameters", "the request has parameters that are not valid"); err != nil {
		return Query{}, err
	}
	return r.query, nil
}

// require notes the parameters that must be there and are not.
func (r *reader) require() {
	for name, row := range r.takes {
		if row.required && !r.seen[name] {
			r.field = name
			r.bad(reason.Required)
		}
	}
}

// one reads a parameter of the table after the checks that all of its shape share.
func (r *reader) one(param argument) {
	row := r.takes[param.name]
	for _, value := range param.values {
		if !r.checkText(value, row.shape) {
			return
		}
	}
	if row.shape != list {
		if len(param.values) > 1 {
			r.bad(reason.SeveralValues(len(param.values)))
			return
		}
		row.read(r, param.values[0])
		return
	}
	items := param.values
	if !param.apart {
		items = splitItems(items, r.maxItems+1)
	}
	if len(items) > r.maxItems {
		if r.maxItems == maxURLItems && r.post {
			r.bad(reason.TooManyForURL(r.maxItems))
		} else {
			r.bad(reason.TooMany(r.maxItems))
		}
		return
	}
	if r.checkItems(items) {
		row.items(r, items)
	}
}

// combine checks parameters that depend on each other.
func (r *reader) combine() {
	if r.seen["event_types"] && r.seen["genres"] {
		r.field = "genres"
		r.bad(reason.NotTogether("event_types"))
	}
	if r.seen["lon"] && r.seen["lat"] && r.seen["radius"] {
		r.query.Circle = &r.circle
	}
	if r.query.BySeries && r.query.ByList() {
		r.field = "group"
		r.bad(reason.OnlyValue("event"))
	}
	if r.query.Sort == SortByList && !r.seen["list"] {
		r.field = "list"
		r.bad(reason.RequiredWith("sort"))
	}
	r.combineCursor()
	r.combinePlace()
	r.combineWindow()
	r.combineVariant()
}

// combineVariant reads the requested variant of an image.
func (r *reader) combineVariant() {
	if r.variant == nil {
		return
	}
	var err error
	if r.query.Variant, err = imaging.Parse(r.variant); err != nil {
		r.violations = append(r.violations, fault.Of(err).Violations...)
	}
}

// combineCursor reads the cursor: both of its parts or neither.
func (r *reader) combineCursor() {
	start, id := r.seen["last_event_start_at"], r.seen["last_event_date_uuid"]
	switch {
	case !start && !id:
		return
	case !id:
		r.field = "last_event_date_uuid"
		r.bad(reason.RequiredWith("last_event_start_at"))
	case !start:
		r.field = "last_event_start_at"
		r.bad(reason.RequiredWith("last_event_date_uuid"))
	}
	r.field = "last_event_start_at"
	if r.seen["offset"] {
		r.bad(reason.NotTogether("offset"))
	}
	r.query.After = &r.cursor
}

// combinePlace refuses two beginnings of a page.
func (r *reader) combinePlace() {
	if r.query.Place != nil && r.seen["offset"] {
		r.field = "cursor"
		r.bad(reason.NotTogether("offset"))
	}
}

// bad notes a violation of the field being read.
func (r *reader) bad(why *reason.Reason) { r.violations.Add(r.field, why) }
