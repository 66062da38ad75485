package eventimport

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/valueset"
)

// note records a value of the file that is not taken, although the event is.
func (w *fileEvent) note(field string, why *reason.Reason) {
	w.notes = append(w.notes, adminapi.ImportReason{Row: w.rows[0], Violation: fault.Violate(field, why)})
}

// kinds finds the types of events that a file names.
type kinds struct {
	choices map[string]int // types by names in lower case; 0 for none
	unknown []*adminapi.ImportType
	byName  map[string]*adminapi.ImportType
}

func newKinds(choices []adminapi.ImportKind) *kinds {
	k := &kinds{choices: map[string]int{}, byName: map[string]*adminapi.ImportType{}}
	for _, choice := range choices {
		k.choices[strings.ToLower(choice.Name)] = choice.TypeID
	}
	return k
}

// find returns the type of a name by choice or by the value set; 0 for none.
func (k *kinds) find(name string) int {
	lower := strings.ToLower(name)
	if id, known := namesOfSet(change.LookupEventTypes)[lower]; known {
		return id
	}
	named := k.byName[lower]
	if named == nil {
		named = &adminapi.ImportType{ImportKind: adminapi.ImportKind{Name: name, TypeID: k.choices[lower]}}
		k.byName[lower] = named
		k.unknown = append(k.unknown, named)
	}
	named.Events++
	return named.TypeID
}

// splitNames returns the names of a list. One of the set may contain a comma or a slash.
func splitNames(set, text string) (names []string) {
	for _, part := range split(text, ";") {
		if _, known := namesOfSet(set)[strings.ToLower(part)]; known {
			names = append(names, part)
		} else {
			names = append(names, split(part, ",/")...)
		}
	}
	return names
}

// mapKinds sets the types of the event by their names, and the categories that they bring. Other
// names become tags, so that nothing is lost.
func (w *fileEvent) mapKinds(kinds *kinds, text string) {
	for _, name := range splitNames(change.LookupEventTypes, text) {
		id := kinds.find(name)
		if id == 0 {
			w.addTag(name)
			continue
		}
		if slices.ContainsFunc(w.event.EventTypes, func(t adminapi.EventType) bool { return t.TypeID == id }) {
			continue
		}
		w.event.EventTypes = append(w.event.EventTypes, adminapi.EventType{TypeID: id})
		for _, category := range adminapi.CategoriesOf(id) {
			w.addCategory(category)
		}
	}
}

// readKinds checks the choices of a body, by the rules of events.
func (r *request) readKinds(given []adminapi.ImportKind, bad *fault.Violations) {
	if given != nil {
		r.kinds = []adminapi.ImportKind{}
	}
	if len(given) > adminapi.MaxImportChoices {
		bad.Add("kinds", reason.TooMany(adminapi.MaxImportChoices))
		return
	}
	for i, kind := range given {
		at := "kinds[" + strconv.Itoa(i) + "]."
		switch kind.Name = strings.TrimSpace(kind.Name); {
		case kind.Name == "":
			bad.Add(at+"name", reason.Required)
		case len([]rune(kind.Name)) > adminapi.MaxName:
			bad.Add(at+"name", reason.TooLong(adminapi.MaxName))
		}
		if kind.TypeID != 0 {
			e := rules.Event{EventTypes: []adminapi.EventType{{TypeID: kind.TypeID}}}
			for _, v := range e.Validate() {
				if strings.HasPrefix(v.Field, "event_types") {
					v.Field = at + "type_id"
					*bad = append(*bad, v)
				}
			}
		}
		r.kinds = append(r.kinds, kind)
	}
}

// mapCategories sets the categories of the event by their names. Other names become tags.
func (w *fileEvent) mapCategories(text string) {
	for _, name := range splitNames(change.LookupCategories, text) {
		if id, known := namesOfSet(change.LookupCategories)[strings.ToLower(name)]; known {
			w.addCategory(id)
		} else {
			w.addTag(name)
		}
	}
}

func (w *fileEvent) addCategory(id int) {
	if !slices.Contains(w.event.Categories, id) {
		w.event.Categories = append(w.event.Categories, id)
	}
	w.has(eventfile.FieldCategories)
}

func (w *fileEvent) addTag(name string) {
	w.event.Tags = append(w.event.Tags, name)
	w.has(eventfile.FieldTags)
}

// has records that the file has a value for a field.
func (w *fileEvent) has(field string) {
	if !slices.Contains(w.fields, field) {
		w.fields = append(w.fields, field)
	}
}

// namesOfSet returns the ids of a value set by their names in every language, in lower case.
func namesOfSet(name string) map[string]int { return setNames()[name] }

var setNames = sync.OnceValue(func() map[string]map[string]int {
	sets := map[string]map[string]int{}
	for _, set := range valueset.All() {
		if set.Name != change.LookupEventTypes && set.Name != change.LookupCategories {
			continue
		}
		sets[set.Name] = map[string]int{}
		for _, item := range set.Items {
			for _, text := range item.Names {
				id, _ := strconv.Atoi(item.ID) // both sets have numbers
				sets[set.Name][strings.ToLower(text)] = id
			}
		}
	}
	return sets
})

// The price types that a file can say.
const (
	priceDonation = "donation"
	priceRegular  = "regular_price"
	priceTiers    = "tiered_prices"
)

// mapPrice sets the price of the event. One that cannot be read is noted.
func (w *fileEvent) mapPrice(text string) {
	price, ok := eventfile.ReadPrice(text)
	e := w.event
	switch {
	case text == "":
	case !ok:
		w.note(eventfile.FieldPrice, reason.NotWrittenPrice(text))
	case price.Free:
		e.PriceType = rules.PriceFree
	case price.Donation:
		e.PriceType = priceDonation
	default:
		e.PriceType, e.MinPrice, e.Currency = priceRegular, &price.Low, value.Text(price.Currency)
		if price.High > 0 {
			e.PriceType, e.MaxPrice = priceTiers, &price.High
		}
	}
}

// readTariffs reads the tariffs of a field. Ones that cannot be read are noted.
func (w *fileEvent) readTariffs(field, text string) (all []adminapi.Tariff) {
	tariffs, ok := eventfile.ReadTariffs(text)
	if !ok {
		w.note(field, reason.NotWrittenPrice(text))
	}
	for _, t := range tariffs {
		tariff := adminapi.Tariff{Name: t.Name, MinPrice: &t.Low, Currency: t.Currency, Condition: value.Text(t.Condition)}
		if t.High > 0 {
			tariff.MaxPrice = &t.High
		}
		all = append(all, tariff)
	}
	return all
}

// mapTariffs sets the tariffs of the event, which give its prices.
func (w *fileEvent) mapTariffs(text string) {
	e := w.event
	if e.Tariffs = w.readTariffs(eventfile.FieldTariffs, text); len(e.Tariffs) == 0 {
		return
	}
	e.MinPrice, e.MaxPrice, e.Currency = nil, nil, ""
	if e.PriceType == "" || e.PriceType == rules.PriceNotSpecified {
		e.PriceType = priceTiers
	}
	w.has(eventfile.FieldPrice)
}

// mapAges sets the ages of the event. Ones that cannot be read are noted.
func (w *fileEvent) mapAges(text string) {
	low, high, ok := eventfile.ReadAges(text)
	switch {
	case text == "":
	case !ok:
		w.note(eventfile.FieldAge, reason.NotWrittenAge(text))
	default:
		if low >= 0 {
			w.event.MinAge = &low
		}
		if high >= 0 {
			w.event.MaxAge = &high
		}
	}
}

// kindText, numbersText, priceText and agesText write stored values, "" for none.
func kindText(e *rules.Event) string {
	var ids []string
	for _, t := range e.EventTypes {
		id := strconv.Itoa(t.TypeID)
		if t.GenreID != 0 {
			id += "/" + strconv.Itoa(t.GenreID)
		}
		ids = append(ids, id)
	}
	return strings.Join(ids, ", ")
}

func numbersText(numbers []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}

func priceText(e *rules.Event) string {
	if e.PriceType == rules.PriceNotSpecified {
		return ""
	}
	words := []string{e.PriceType}
	for _, amount := range []*float64{e.MinPrice, e.MaxPrice} {
		if amount != nil {
			words = append(words, strconv.FormatFloat(*amount, 'f', -1, 64))
		}
	}
	return strings.TrimSpace(strings.Join(append(words, string(e.Currency)), " "))
}

func agesText(e *rules.Event) string {
	low, high := "", ""
	if e.MinAge != nil {
		low = strconv.Itoa(*e.MinAge)
	}
	if e.MaxAge != nil {
		high = strconv.Itoa(*e.MaxAge)
	}
	if low+high == "" {
		return ""
	}
	return low + "–" + high
}

// nameOfKinds writes types or categories, which are ids in text, by their names.
func nameOfKinds(set, text string) string {
	var names []string
	for _, id := range split(text, ",") {
		for _, lookup := range valueset.All() {
			if lookup.Name != set {
				continue
			}
			for _, item := range lookup.Items {
				if kind, _, _ := strings.Cut(id, "/"); item.ID == kind {
					names = append(names, item.Names["en"])
				}
			}
		}
	}
	return strings.Join(names, ", ")
}
