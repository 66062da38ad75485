package eventfile

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/hours"
)

const (
	// maxNested is how deep the objects of a page may be nested.
	maxNested = 40
	// maxRead is how many events, parts and schedules of a page are read. References stand for what
	// they name, so that a short page could have more of them than can be read.
	maxRead = 5 * MaxRows
	// maxListed is how many of the values of one property are read, other than events.
	maxListed = 1_000

	stepsOfObject   = 50 // that is read, also again by a reference
	stepsOfTextByte = 2  // of texts that are joined
)

// decodeLinked decodes a JSON-LD text. Programs leave line breaks in the texts of descriptions,
// which JSON does not allow, and comments of HTML around the whole.
func decodeLinked(text string) (item any, ok bool) {
	text = strings.TrimSpace(text)
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<!--"), "-->")
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "//<![CDATA["), "//]]>")
	if json.Unmarshal([]byte(text), &item) == nil {
		return item, true
	}
	spaced := strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text)
	return item, json.Unmarshal([]byte(spaced), &item) == nil
}

type object = map[string]any

// linkedEvents finds the events in JSON-LD.
type linkedEvents struct {
	items []any
	until string            // see Options.Until
	named map[string]object // the fullest object of each @id
	open  map[string]bool   // the ids of the events of which parts are being read
	reads int               // see maxRead
	work  *work
	found []linkedEvent
}

// linkedEvent is an event of a page: its values by the names of pageProperties, and its moments as
// they are written.
type linkedEvent struct {
	values            map[string]string
	start, end, doors string
	hours             *hours.Hours   // of a date that is open at them; nil for others
	placeHours        *hours.Hours   // of its place; nil where the page has none that can be read
	problem           *reason.Reason // why its dates cannot be read
}

func newLinkedEvents(items []any, until string, w *work) *linkedEvents {
	l := &linkedEvents{items: items, until: until, work: w, named: map[string]object{}, open: map[string]bool{}}
	l.name(items, 0)
	return l
}

// name records the objects with an @id, which others may refer to.
func (l *linkedEvents) name(item any, depth int) {
	eachChild(item, depth, func(child any) { l.name(child, depth+1) })
	if o, is := item.(object); is {
		if id := textOf(o["@id"]); id != "" && len(o) > len(l.named[id]) {
			l.named[id] = o
		}
	}
}

// eachChild calls fn with the parts of an object, in the order of their names, or of a list.
func eachChild(item any, depth int, fn func(child any)) {
	if depth > maxNested {
		return
	}
	switch item := item.(type) {
	case []any:
		for _, child := range item {
			fn(child)
		}
	case object:
		for _, name := range slices.Sorted(maps.Keys(item)) {
			if name != "superEvent" { // only named by its part
				fn(item[name])
			}
		}
	}
}

// all returns the events, in the order of the page. full means that there are more than an import
// may have, of which not all were read.
func (l *linkedEvents) all() (found []linkedEvent, full bool) {
	for _, item := range l.items {
		l.walk(item, 0)
	}
	return l.found, l.full(0)
}

// full reports whether no more is read, with so many dates that are not among the found ones yet.
func (l *linkedEvents) full(dates int) bool {
	return len(l.found)+dates > MaxRows || l.reads > maxRead || l.work.Err() != nil
}

func (l *linkedEvents) walk(item any, depth int) {
	o, is := item.(object)
	if !is || !isEvent(o) {
		eachChild(item, depth, func(child any) { l.walk(child, depth+1) })
		return
	}
	id := textOf(o["@id"])
	if l.reads++; depth > maxNested || l.full(0) || l.open[id] { // events may name each other as their parts
		return
	}
	if id != "" {
		l.open[id] = true
		defer delete(l.open, id)
	}
	if !l.work.begin("event " + shorten(cmp.Or(id, textOf(o["name"])))) {
		return
	}
	event := l.read(o)
	own, dates := l.parts(o, event)
	if len(dates) == 0 {
		l.openingHours(o, &event)
	}
	if len(dates) == 0 && event.hours == nil {
		dates = l.schedules(o, event)
	}
	switch {
	case len(dates) > 0:
		l.found = append(l.found, dates...)
	case event.start != "" || event.hours != nil || len(own) == 0:
		l.found = append(l.found, event)
	}
	for _, part := range own {
		l.walk(part, depth+1)
	}
}

// parts divides the subEvents of an event into events of their own and dates of the event: these
// have its name, or none.
func (l *linkedEvents) parts(o object, event linkedEvent) (own []any, dates []linkedEvent) {
	for _, item := range listOf(o["subEvent"]) {
		if l.reads++; l.full(len(dates)) {
			break
		}
		part := l.resolve(item)
		if part == nil {
			continue
		}
		if name := textOf(part["name"]); name != "" && name != event.values["name"] {
			own = append(own, part)
			continue
		}
		date := l.read(part)
		if date.start == "" {
			continue
		}
		date.ownTariffs(event)
		for name, text := range event.values {
			if ofEvent := !slices.Contains(ofDates, fieldOfProperty(name)); ofEvent || date.values[name] == "" {
				date.values[name] = text
			}
		}
		date.values["@id"] = cmp.Or(event.values["@id"], event.values["name"])
		dates = append(dates, date)
	}
	return own, dates
}

func fieldOfProperty(name string) string {
	for _, property := range pageProperties {
		if property.name == name {
			return property.field
		}
	}
	return ""
}

// resolve returns an object, or the one that it only refers to by its @id; nil for another value.
func (l *linkedEvents) resolve(item any) object {
	o, is := item.(object)
	if !is || !l.work.Spend(stepsOfObject) {
		return nil
	}
	if full, known := l.named[textOf(o["@id"])]; known && len(o) == 1 {
		return full
	}
	return o
}

// first returns the first object of a value, nil for none.
func (l *linkedEvents) first(item any) object {
	for _, one := range firstOf(item) {
		if o := l.resolve(one); o != nil {
			return o
		}
	}
	return nil
}

func listOf(item any) []any {
	switch item := item.(type) {
	case nil:
		return nil
	case []any:
		return item
	}
	return []any{item}
}

// firstOf is listOf without values after the first maxListed.
func firstOf(item any) []any {
	list := listOf(item)
	return list[:min(len(list), maxListed)]
}

// typesOf returns the names of an object's types without their vocabulary.
func typesOf(o object) (names []string) {
	for _, item := range firstOf(o["@type"]) {
		name := textOf(item)
		names = append(names, name[strings.LastIndexAny(name, "/:#")+1:])
	}
	return names
}

// isEvent reports whether an object is an Event of schema.org or one of its kinds.
func isEvent(o object) bool {
	return slices.ContainsFunc(typesOf(o), func(name string) bool {
		return name == "Event" || name == "Festival" || strings.HasSuffix(name, "Event") && name != "PublicationEvent" && name != "DeliveryEvent"
	})
}

// textOf returns a value as text: of several the first, of an object with @value that. It leaves
// out the character NUL, which the database does not store.
func textOf(item any) string {
	switch item := item.(type) {
	case string:
		return strings.TrimSpace(strings.ReplaceAll(item, "\x00", ""))
	case float64:
		return strconv.FormatFloat(item, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(item)
	case []any:
		for _, one := range item {
			if text := textOf(one); text != "" {
				return text
			}
		}
	case object:
		return cmp.Or(textOf(item["@value"]), textOf(item["value"]), textOf(item["name"]), textOf(item["url"]), textOf(item["@id"]))
	}
	return ""
}

// maxTexts is how many bytes of a list are joined: more than any field may have.
const maxTexts = 100_000

// textsOf returns the texts of a list.
func textsOf(item any) string {
	var all []string
	size := 0
	for _, one := range firstOf(item) {
		text := textOf(one)
		if text == "" {
			continue
		}
		if size += len(text); size > maxTexts && len(all) > 0 {
			break
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}
