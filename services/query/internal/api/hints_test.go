package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"litfass/pkg/contracts/publicapi"
)

// helps are the hints of searches without results: filters with the count without them, and another
// spelling. "-" is no hints.
var helps = []struct{ query, want string }{
	{"", "-"}, {"search=jazz", "-"},
	{"offset=8", "-"}, {"title=nothing&offset=1", "-"},
	{"last_event_start_at=2027-01-01T12:00&last_event_date_uuid=" + dateID('h'), "-"},
	{"title=nothing", "title:8"},
	{"city=flensburg&venue=Stra%C3%9Fe+7", "venue:3 city:1"},
	{"start=2027-01-02&categories=1", "start:1"},
	{"start=2027-01-02&ongoing=true", "start,ongoing:8"},
	{"start=2027-01-02&event_types=2", ""},
	{"lon=9.43&lat=54.79&radius=0&languages=da", "lon,lat,radius:1"},
	{"geolist_region=deu,sh,kiel&languages=da", "geolist_region:1"},
	{"geolist_region=deu,sh,kiel", "geolist_region:8"},
	{"group=event&price=0,EUR&countries=DEU,DNK&title=*show*", "price:1"},
	{"search=jzaz", "search:8 Jazz"},
	{"search=jzaz&categories=1", "search:1 Jazz"},
	{"search=jzaz+k%C3%BChlhaus", "search:8 Jazz Kühlhaus"},
	{"search=late+jzaz&sort=start", "search:8 Late Jazz"},
	{"search=family+k%C3%BChlhaus", "search:8"},
	{"search=xqxqxq", "search:8"},
	{"search=jzaz&categories=2", ""},
}

// nothingFoundHelps searches by GET and by POST.
func nothingFoundHelps(t *testing.T, s site) {
	for _, test := range helps {
		var got, posted enveloped[json.RawMessage]
		s.get(t, theSearch+test.query, &got)
		s.post(t, "/api/events", asJSON(t, test.query), &posted)
		for _, data := range []json.RawMessage{got.Data, posted.Data} {
			if help := helpIn(t, data); help != test.want {
				t.Errorf("%s: %q, want %q", test.query, help, test.want)
			}
		}
	}
}

func helpIn(t *testing.T, data json.RawMessage) string {
	t.Helper()
	var found publicapi.Events
	if err := json.Unmarshal(data, &found); err != nil {
		t.Fatal(err)
	}
	if found.Hints == nil {
		return "-"
	}
	if len(found.Events) > 0 || found.Hints.Without == nil || found.Events == nil {
		t.Errorf("%s", data)
	}
	var shown []string
	for _, r := range found.Hints.Without {
		shown = append(shown, fmt.Sprintf("%s:%d", strings.Join(r.Parameters, ","), r.Count))
	}
	if found.Hints.Search != "" {
		shown = append(shown, string(found.Hints.Search))
	}
	return strings.Join(shown, " ")
}
