package params

import (
	"net/url"
	"reflect"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
)

func TestOtherOperations(t *testing.T) {
	for _, test := range []struct {
		operation Operation
		query     string
		want      Query
	}{
		{Named, "", read(func(*Query) {})},
		{Named, "lang=", read(func(*Query) {})},
		{Named, "lang=de", read(func(r *Query) { r.Lang, r.TextLang = "de", "de" })},
		{Named, "lang=DA", read(func(r *Query) { r.Lang, r.TextLang = "da", "da" })},
		{Named, "lang=tlh", read(func(q *Query) { q.TextLang = "en" })},
		{Named, "lang=de-DE", read(func(q *Query) { q.Lang, q.TextLang = "de", "de" })},
		{Named, "lang=zh-Hans&nonsense=", read(func(q *Query) { q.TextLang = "en" })},
		{SeriesFeed, "lang=de&portal=kiel", read(func(q *Query) { q.Lang, q.TextLang, q.Portal = "de", "de", "kiel" })},
		{TypesByLang, "lang=da-DK,en-GB&lang=da", read(func(q *Query) { q.Langs = []string{"da", "en"} })},
		{TypesByLang, "lang=da,de,da", read(func(r *Query) { r.Langs = []string{"da", "de"} })},
		{TypesByLang, "lang=tlh", read(func(r *Query) { r.Langs = []string{"en"} })},
		{GenresOfType, "event_type=7&lang=de", read(func(r *Query) { r.EventType, r.Lang, r.TextLang = 7, "de", "de" })},
		{StatesOf, "country=deu", read(func(r *Query) { r.Country = "DEU" })},
		{StatesOf, "country-code=DEU&country=deu", read(func(r *Query) { r.Country = "DEU" })},
		{Organizations, "search=+Caf%C3%A9%25+&limit=200&offset=10000", read(func(r *Query) {
			r.Part, r.Limit, r.Offset = "Café%", 200, 10000
		})},
		{GeoStates, "country=germany", read(func(r *Query) { r.Country = "germany" })},
		{GeoRegions, "state=bayern", read(func(r *Query) { r.State = "bayern" })},
	} {
		got, err := test.operation.FromURL(test.query, 0)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, %v, want %+v", test.query, got, err, test.want)
		}
	}
}

func TestOtherOperationsNameEveryBadParameter(t *testing.T) {
	long := strings.Repeat("x", 20_000)
	for _, test := range []struct {
		operation Operation
		query     string
		fields    string
		reason    string
	}{
		{Named, "land=de", "land", "did you mean lang?"},
		{Named, "lang=de&lang=en", "lang", "given 2 times"},
		{Named, "lang=%ff", "lang", "UTF-8"},
		{Named, "lang=%zz", "lang", "percent-encoded"},
		{Named, "lang=" + long, "lang", "more than"},
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
		_, err := test.operation.FromURL(test.query, 0)
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

func TestInteger(t *testing.T) {
	if n, ok := Integer("17"); !ok || n != 17 {
		t.Errorf("got %d %t", n, ok)
	}
	for _, bad := range []string{"", "0", "-1", "1.5", "99999999999", "1e3", "٣"} {
		if _, ok := Integer(bad); ok {
			t.Errorf("%q passes for a whole number", bad)
		}
	}
}
