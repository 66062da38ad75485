package model

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// Learn takes over the values that only the service knows from an entity as the service shows it:
// the uuids of new parts, and how it writes the rules of dates. Parts that do not fit stay without
// a uuid, so that the comparison that follows names them.
func (e *Entity) Learn(shown Object, tag string) {
	e.Tag = tag
	if e.Kind == Series {
		name(Parts(e.Fields, "parts"), Parts(shown, "parts"))
		e.learnImage(shown)
	}
	if e.Kind != Event {
		return
	}
	learnTimes(e.Fields, shown)
	for _, list := range []string{"event_links", "images"} {
		name(Parts(e.Fields, list), Parts(shown, list))
	}
	e.learnDates(Parts(shown, "dates"))
	textsOf("dates", e.Fields, func(dates Object) {
		for i, d := range Parts(e.Fields, "dates") {
			if text, named := dates[place(i)]; named {
				delete(dates, place(i))
				dates[d["uuid"].(string)] = text
			}
		}
	})
	e.Fields["date_rules"] = Plain(shown["date_rules"])
}

// name copies the uuids of equal shown parts to the parts without one, and reports whether every
// part has one.
func name(parts, shown []Object) bool {
	var left []Object
	for _, s := range shown {
		if part(parts, text(s, "uuid")) < 0 {
			left = append(left, s)
		}
	}
	complete := true
	for _, p := range parts {
		if text(p, "uuid") != "" {
			continue
		}
		at := slices.IndexFunc(left, func(s Object) bool {
			nameless := maps.Clone(s)
			nameless["uuid"] = p["uuid"]
			return reflect.DeepEqual(nameless, p)
		})
		if complete = complete && at >= 0; at >= 0 {
			p["uuid"] = left[at]["uuid"]
			left = slices.Delete(left, at, at+1)
		}
	}
	return complete
}

// learnDates tries which of the shown rules the new ones are, until every date finds its own.
func (e *Entity) learnDates(shown []Object) {
	known, made, fresh := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, d := range Parts(e.Fields, "dates") {
		if rule := text(d, "rule_uuid"); isNewRule(rule) {
			made[rule] = true
		} else {
			known[rule] = true
		}
	}
	for _, s := range shown {
		if rule := text(s, "rule_uuid"); !known[rule] {
			fresh[rule] = true
		}
	}
	tryRules(Parts(Object{"dates": Plain(e.Fields["dates"])}, "dates"), shown,
		slices.Sorted(maps.Keys(made)), slices.Sorted(maps.Keys(fresh)), func(dates []Object) {
			setParts(e.Fields, "dates", dates)
		})
}

// tryRules gives the new rules each of the uuids in turn; found gets the dates that fit.
func tryRules(dates, shown []Object, made, fresh []string, found func([]Object)) bool {
	if len(made) == 0 {
		named := name(dates, shown) && rulesFit(dates, shown)
		if named {
			found(dates)
		}
		return named
	}
	for i, uuid := range fresh {
		trial := Parts(Plain(Object{"dates": dates}).(Object), "dates")
		for _, d := range trial {
			if d["rule_uuid"] == made[0] {
				d["rule_uuid"] = uuid
			}
		}
		rest := slices.Delete(slices.Clone(fresh), i, i+1)
		if tryRules(trial, shown, made[1:], rest, found) {
			return true
		}
	}
	return false
}

// rulesFit reports whether each date has the rule that is shown for it.
func rulesFit(dates, shown []Object) bool {
	return !slices.ContainsFunc(dates, func(d Object) bool {
		at := part(shown, text(d, "uuid"))
		return at < 0 || shown[at]["rule_uuid"] != d["rule_uuid"]
	})
}

// CheckRules returns an error unless the rules of an event generate its dates: each rule exactly
// the dates that name it.
func CheckRules(event Object) error {
	starts := map[string][]string{}
	for _, d := range Parts(event, "dates") {
		if rule := text(d, "rule_uuid"); rule != "" {
			starts[rule] = append(starts[rule], text(d, "recurrence_id"))
		}
	}
	rules := Parts(event, "date_rules")
	if len(rules) != len(starts) {
		return fmt.Errorf("%d rules, but the dates are of %d", len(rules), len(starts))
	}
	for _, rule := range rules {
		got := starts[text(rule, "uuid")]
		slices.Sort(got)
		if want := Originals(rule); !slices.Equal(got, want) {
			return fmt.Errorf("rule %v means %v, its dates are %v", rule, want, got)
		}
	}
	return nil
}
