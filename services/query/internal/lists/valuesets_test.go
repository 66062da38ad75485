package lists

import (
	"encoding/json"
	"testing"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
)

func sets(t *testing.T) ValueSets {
	t.Helper()
	var views []document.LookupView
	if err := json.Unmarshal([]byte(`[
		{"name":"event-types","integer":true,"items":[
			{"id":"2","names":{"en":"Theatre","de":"Theater"}}, {"id":"1","names":{"en":"Concert","de":"Konzert"}}]},
		{"name":"event-genres","integer":true,"items":[
			{"id":"1003","group":"1","names":{"en":"Jazz"}}, {"id":"2001","group":"2","names":{"en":"Musical"}}]},
		{"name":"countries","items":[
			{"id":"AUT","names":{"en":"Austria","de":"Österreich"}}, {"id":"ZWE","names":{"en":"Zimbabwe","de":"Simbabwe"}}]},
		{"name":"states","items":[
			{"id":"DEU-SH","group":"DEU","names":{"en":"Schleswig-Holstein"},"extra":{"code":"SH"}},
			{"id":"DNK-SD","group":"DNK","names":{"en":"Syddanmark"},"extra":{"code":"SD"}}]},
		{"name":"licenses","items":[
			{"id":"cc0","names":{"en":"CC0"},"extra":{"spdx":"CC0-1.0","url":"https://cc0.example/"}}, {"id":"pd","names":{"en":"PD"}}]},
		{"name":"accessibility-topics","integer":true,"items":[
			{"id":"1","names":{"en":"Body","de":"Körper"}}, {"id":"10","names":{"en":"Web"}}, {"id":"2","names":{"en":"Ear"}}]},
		{"name":"accessibility-flags","integer":true,"items":[
			{"id":"44","group":"10","names":{"en":"Site"},"extra":{"key":"site"}},
			{"id":"10","group":"2","names":{"en":"Loop"},"extra":{"key":"loop"}},
			{"id":"9","group":"1","names":{"en":"Lift","de":"Aufzug"},"extra":{"key":"lift"}},
			{"id":"3","group":"1","names":{"en":"Ramp","de":"Rampe"},"extra":{"key":"ramp"}}]}
	]`), &views); err != nil {
		t.Fatal(err)
	}
	byName := ValueSets{}
	for _, view := range views {
		byName[view.Name] = view
	}
	return byName
}

func TestShownAsJSON(t *testing.T) {
	s := sets(t)
	genres := func(eventType int, lang string) any {
		items, known := s.EventGenres(eventType, lang)
		return map[string]any{"known": known, "items": items}
	}
	for _, test := range []struct {
		name string
		got  any
		want string
	}{
		{"integer ids, in their order", s.Choosable(change.LookupEventTypes, "de"),
			`[{"id":2,"name":"Theater"},{"id":1,"name":"Konzert"}]`},
		{"a name that lacks falls back", s.Choosable(change.LookupEventTypes, "da"),
			`[{"id":2,"name":"Theatre"},{"id":1,"name":"Concert"}]`},
		{"text ids, by name", s.Choosable(change.LookupCountries, "en"),
			`[{"id":"AUT","name":"Austria"},{"id":"ZWE","name":"Zimbabwe"}]`},
		{"by name in the language", s.Choosable(change.LookupCountries, "de"),
			`[{"id":"AUT","name":"Österreich"},{"id":"ZWE","name":"Simbabwe"}]`},
		{"licences", s.Choosable(change.LookupLicenses, "en"),
			`[{"id":"cc0","name":"CC0","spdx":"CC0-1.0","url":"https://cc0.example/"},{"id":"pd","name":"PD"}]`},
		{"a set that is not there", s.Choosable(change.LookupLinkTypes, "en"), `[]`},
		{"genres of a type", genres(1, "de"), `{"items":[{"id":1003,"name":"Jazz","event_type":1}],"known":true}`},
		{"genres of all types", genres(0, "en"),
			`{"items":[{"id":1003,"name":"Jazz","event_type":1},{"id":2001,"name":"Musical","event_type":2}],"known":true}`},
		{"genres of no type", genres(9, "en"), `{"items":[],"known":false}`},
		{"states of a country", s.States("DNK", "en"), `[{"id":"SD","name":"Syddanmark","country":"DNK"}]`},
		{"states of all countries", s.States("", "en"),
			`[{"id":"SH","name":"Schleswig-Holstein","country":"DEU"},{"id":"SD","name":"Syddanmark","country":"DNK"}]`},
		{"states of nowhere", s.States("XXX", "en"), `[]`},
		{"flags by topic, then bit, as numbers", s.Flags(change.LookupAccessibilityFlags, change.LookupAccessibilityTopic, "de"),
			`[{"id":"3","name":"Rampe","key":"ramp","topic_id":"1","topic_name":"Körper"},` +
				`{"id":"9","name":"Aufzug","key":"lift","topic_id":"1","topic_name":"Körper"},` +
				`{"id":"10","name":"Loop","key":"loop","topic_id":"2","topic_name":"Ear"},` +
				`{"id":"44","name":"Site","key":"site","topic_id":"10","topic_name":"Web"}]`},
		{"types and genres", s.TypesAndGenres([]string{"de", "en"}),
			`{"de":{"types":{"1":{"name":"Konzert","genres":{"1003":"Jazz"}},"2":{"name":"Theater","genres":{"2001":"Musical"}}}},` +
				`"en":{"types":{"1":{"name":"Concert","genres":{"1003":"Jazz"}},"2":{"name":"Theatre","genres":{"2001":"Musical"}}}}}`},
		{"names of an event's types", s.NameTypes([]publicapi.EventType{{TypeID: 1, GenreID: 1003}, {TypeID: 2}, {TypeID: 99, GenreID: 99001}}, "de"),
			`[{"type_id":1,"type_name":"Konzert","genre_id":1003,"genre_name":"Jazz"},` +
				`{"type_id":2,"type_name":"Theater","genre_id":0,"genre_name":""},` +
				`{"type_id":99,"type_name":"","genre_id":99001,"genre_name":""}]`},
		{"no types", s.NameTypes(nil, "de"), `[]`},
	} {
		got, err := json.Marshal(test.got)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}
