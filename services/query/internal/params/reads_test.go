package params

import (
	"net/url"
	"reflect"
	"strings"
	"testing"

	"litfass/pkg/fault"
	"litfass/pkg/language"
)

func TestReadOperations(t *testing.T) {
	read := func(change func(*Read)) Read {
		r := Read{Lang: "en", Langs: language.Codes, Limit: defaultLimit}
		change(&r)
		return r
	}
	for _, test := range []struct {
		operation ReadOperation
		query     string
		want      Read
	}{
		{Named, "", read(func(*Read) {})},
		{Named, "lang=", read(func(*Read) {})},
		{Named, "lang=de", read(func(r *Read) { r.Lang = "de" })},
		{Named, "lang=DA", read(func(r *Read) { r.Lang = "da" })},
		{Named, "lang=tlh", read(func(*Read) {})},
		{TypesByLang, "lang=da,de,da", read(func(r *Read) { r.Langs = []string{"da", "de"} })},
		{TypesByLang, "lang=tlh", read(func(r *Read) { r.Langs = []string{"en"} })},
		{GenresOfType, "event_type=7&lang=de", read(func(r *Read) { r.EventType, r.Lang = 7, "de" })},
		{StatesOf, "country=deu", read(func(r *Read) { r.Country = "DEU" })},
		{StatesOf, "country-code=DEU&country=deu", read(func(r *Read) { r.Country = "DEU" })},
		{Organizations, "search=+Caf%C3%A9%25+&limit=200&offset=10000", read(func(r *Read) {
			r.Search, r.Limit, r.Offset = "Café%", 200, 10000
		})},
		{GeoStates, "country=germany", read(func(r *Read) { r.Country = "germany" })},
		{GeoRegions, "state=bayern", read(func(r *Read) { r.State = "bayern" })},
	} {
		got, err := test.operation.Read(test.query)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, %v, want %+v", test.query, got, err, test.want)
		}
	}
}

func TestReadOperationsNameEveryBadParameter(t *testing.T) {
	long := strings.Repeat("x", 20_000)
	for _, test := range []struct {
		operation ReadOperation
		query     string
		fields    string
		reason    string
	}{
		{Named, "land=de", "land", "did you mean lang?"},
		{Named, "lang=de&lang=en", "lang", "given 2 times"},
		{Named, "lang=%ff", "lang", "UTF-8"},
		{Named, "lang=%zz", "lang", "percent-encoded"},
		{Named, "lang=" + long, "lang", "longer than"},
		{TypesByLang, "lang=de,,en", "lang", "empty value"},
		{GenresOfType, "event_type=-1", "event_type", "whole number"},
		{GenresOfType, "event_type=1%20OR%201=1", "event_type", "whole number"},
		{StatesOf, "country=germany", "country", "alpha-3"},
		{StatesOf, "country=DEU&country-code=DNK", "country-code", "another value"},
		{Organizations, "", "search", "missing"},
		{Organizations, "search=", "search", "missing"},
		{Organizations, "search=%20", "search", "only spaces"},
		{Organizations, "search=" + url.QueryEscape(strings.Repeat("ß", 161)), "search", "too long"},
		{Organizations, "search=%00", "search", "control character"},
		{Organizations, "limit=0&offset=10001&serach=x", "serach limit offset search", "did you mean search?"},
	} {
		_, err := test.operation.Read(test.query)
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("%.60s: got %v, want an Invalid fault", test.query, err)
			continue
		}
		var fields []string
		for _, violation := range fault.Of(err).Violations {
			fields = append(fields, violation.Field)
		}
		if got := strings.Join(fields, " "); got != test.fields || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%.60s: got %v, want %s %s", test.query, err, test.fields, test.reason)
		}
	}
}

func TestUUIDAndInteger(t *testing.T) {
	const seven = "01920000-0000-7000-8000-00000000000a"
	if got, ok := UUID(strings.ToUpper(seven)); !ok || got != seven {
		t.Errorf("got %q %t", got, ok)
	}
	for _, bad := range []string{
		"", "x", "urn:uuid:" + seven, "{" + seven + "}", strings.ReplaceAll(seven, "-", ""),
		"f47ac10b-58cc-4372-a567-0e02b2c3d479", "01920000-0000-7000-0000-00000000000a", seven + " OR 1=1",
	} {
		if _, ok := UUID(bad); ok {
			t.Errorf("%q passes for a UUIDv7", bad)
		}
	}
	if n, ok := Integer("17"); !ok || n != 17 {
		t.Errorf("got %d %t", n, ok)
	}
	for _, bad := range []string{"", "0", "-1", "1.5", "99999999999", "1e3", "٣"} {
		if _, ok := Integer(bad); ok {
			t.Errorf("%q passes for a whole number", bad)
		}
	}
}
