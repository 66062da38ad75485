package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
)

const insertPlace = `
INSERT INTO venue (uuid, org_uuid, name, street, house_number, postal_code, city, lat, lon)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

// place makes a venue with an address; lat and lon are nil for none.
func (s *stage) place(t *testing.T, org, name, street, postalCode, city string, lat, lon any) string {
	t.Helper()
	id := newUUID()
	s.exec(t, insertPlace, id, org, name, street, "7a", postalCode, city, lat, lon)
	return id
}

// found are the names of an answer's venues with their distances.
func (a answer) found() string {
	var list []string
	venues, _ := a.body["venues"].([]any)
	for _, v := range venues {
		row := v.(map[string]any)
		text := fmt.Sprint(row["name"])
		if row["distance"] != nil {
			text += fmt.Sprintf(" %.0f", row["distance"])
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func TestVenuesAreFound(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	mill := s.place(t, s.org, "ÖKO-Mühle", "Große Straße", "24937", "Flensburg", 54.80, 9.43)
	s.place(t, s.org, "Haus Ærø", "Nørregade", "6400", "Sønderborg", 54.91, 9.79)
	s.place(t, s.org, "100% Club_1", "Am Café", "24103", "Kiel", nil, nil)
	s.place(t, s.foreign, "Mühlenkeller", "Große Straße", "24937", "Flensburg", 54.80, 9.43)
	small := s.space(t, mill)
	s.exec(t, "UPDATE space SET total_capacity = 80, space_type = 'art_gallery' WHERE uuid = $1", small)
	third := authtest.Organization(t, s.db, "Verein")
	closed := s.place(t, s.foreign, "Lager", "Große Straße", "24937", "Flensburg", 54.80, 9.43)
	s.exec(t, "UPDATE venue SET use = 'closed' WHERE uuid = $1", closed)
	hidden := authtest.Organization(t, s.db, "Neubau")
	s.place(t, hidden, "Tivoli", "Große Straße", "24937", "Flensburg", 54.80, 9.43)
	s.exec(t, "INSERT INTO organization_approval (org_uuid, state, asked_at) VALUES ($1, 'pending', now())", hidden)
	s.place(t, third, "Alte Mühle", "Markt", "24837", "Schleswig", 54.51, 9.57)
	s.join(t, "guest", third, permission.All)
	authtest.Member(t, s.db, s.org, s.people["guest"].id, permission.ChooseVenue)
	authtest.Member(t, s.db, s.foreign, s.people["guest"].id, permission.EditEvent) // not its venues

	const near = "lat=54.80&lon=9.43"
	for query, want := range map[string]string{
		"":                                     "100% Club_1, Alte Mühle, Haus Ærø, ÖKO-Mühle",
		"search=muhle":                         "Mühlenkeller, Alte Mühle, ÖKO-Mühle",
		"search=MUEHLE":                        "Alte Mühle, Mühlenkeller, ÖKO-Mühle",
		"search=mÜhle+strasse":                 "Mühlenkeller, ÖKO-Mühle",
		"search=oko":                           "ÖKO-Mühle",
		"search=oeko":                          "ÖKO-Mühle",
		"search=hle+24937":                     "Mühlenkeller, ÖKO-Mühle",
		"search=große+7a+flens":                "Mühlenkeller, ÖKO-Mühle",
		"search=grosse":                        "Mühlenkeller, ÖKO-Mühle",
		"search=aero+norregade":                "Haus Ærø",
		"search=sonderborg":                    "Haus Ærø",
		"search=soenderborg":                   "Haus Ærø",
		"search=cafe":                          "100% Club_1",
		"search=0%25":                          "100% Club_1",
		"search=b_1":                           "100% Club_1",
		"search=keller":                        "Mühlenkeller",
		"search=tivoli":                        "",
		"search=lager":                         "",
		"search=oekomuehle":                    "~ÖKO-Mühle",
		"search=%5C":                           "",
		"search=%27%29%3B--":                   "",
		"search=mühlenkelle":                   "Mühlenkeller",
		"search=mülhenkeler":                   "~Mühlenkeller",
		"search=norregaed+sonderbog":           "~Haus Ærø",
		"search=schlesiwg":                     "~Alte Mühle",
		"search=flensburk+keller":              "~Mühlenkeller",
		"search=248":                           "Alte Mühle",
		near:                                   "Mühlenkeller 0, ÖKO-Mühle 0, Haus Ærø 26088, Alte Mühle 33480, 100% Club_1",
		near + "&search=muhle":                 "Mühlenkeller 0, ÖKO-Mühle 0, Alte Mühle 33480",
		"lat=-90&lon=180&search=oko":           "ÖKO-Mühle 16101048",
		"org_uuid=" + s.org:                    "100% Club_1, Haus Ærø, ÖKO-Mühle, Alte Mühle",
		"org_uuid=" + third:                    "Alte Mühle, 100% Club_1, Haus Ærø, ÖKO-Mühle",
		"org_uuid=" + s.foreign:                "Lager, Mühlenkeller, 100% Club_1, Alte Mühle, Haus Ærø, ÖKO-Mühle",
		"org_uuid=" + s.foreign + "&search=mü": "Mühlenkeller, Alte Mühle, ÖKO-Mühle",
		"search=h&org_uuid=" + s.org:           "Haus Ærø, ÖKO-Mühle, Alte Mühle, Mühlenkeller",
	} {
		a := s.as(t, "guest", http.MethodGet, "/venues?"+query, "")
		a.want(t, query, ok, "")
		got := a.found()
		if a.body["respelled"] == true {
			got = "~" + got
		}
		if got != want {
			t.Errorf("%s finds %s, want %s", query, got, want)
		}
		if count := len(a.body["venues"].([]any)); a.body["total_count"] != float64(count) {
			t.Errorf("%s counts %v of %d", query, a.body["total_count"], count)
		}
	}
	for query, fields := range map[string]string{
		"lat=1": "lon", "lon=1": "lat", "lat=91&lon=x": "lat lon", "org_uuid=1": "org_uuid", "search=%00": "search", "search=%ff": "search",
		"search=" + strings.Repeat("x+", 11): "search", "search=" + url.QueryEscape(strings.Repeat("ü", 501)): "search", "limit=0": "limit",
	} {
		a := s.as(t, "guest", http.MethodGet, "/venues?"+query, "")
		if a.want(t, query, http.StatusBadRequest, "invalid_parameters"); a.fields() != fields {
			t.Errorf("%s: bad fields %s", query, a.fields())
		}
	}
	paged := s.as(t, "guest", http.MethodGet, "/venues?limit=1&offset=3", "")
	if paged.found() != "ÖKO-Mühle" || paged.body["total_count"] != 4.0 {
		t.Errorf("the last page: %.300s", paged.raw)
	}
	spaces, _ := paged.first(t, "venues")["spaces"].([]any)
	if want := fmt.Sprint(map[string]any{
		"uuid": small, "name": "Bühne", "space_type": "art_gallery", "total_capacity": 80.0, "seating_capacity": nil,
	}); len(spaces) != 1 || fmt.Sprint(spaces[0]) != want {
		t.Errorf("spaces %v, want %s", spaces, want)
	}
}

// Exactly the venues at which an event may be placed are found; those of others only by words.
func TestFoundVenuesMayBeChosen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	own, others, open := s.venue(t, s.org), s.venue(t, s.foreign), s.venue(t, s.foreign)
	s.exec(t, "UPDATE venue SET use = 'closed' WHERE uuid = $1", others)
	event := s.event(t, s.org, "Konzert", "draft", nil)
	find := func(bearer string) string {
		a := s.send(t, http.MethodGet, admin+"/venues?search=saal&org_uuid="+s.org, nil, "Authorization", "Bearer "+bearer)
		a.want(t, "find", ok, "")
		var uuids []string
		for _, v := range a.body["venues"].([]any) {
			row := v.(map[string]any)
			uuids = append(uuids, fmt.Sprint(row["uuid"]))
			if row["own"] != (row["uuid"] == own) {
				t.Errorf("%v belongs to the organization: %v", row["name"], row["own"])
			}
			put := s.send(t, http.MethodPut, admin+"/event/"+event+"/place", strings.NewReader(`{"venue_uuid": "`+uuids[len(uuids)-1]+`"}`),
				"Authorization", "Bearer "+bearer, "Content-Type", "application/json")
			put.want(t, "place the event", ok, "")
		}
		return strings.Join(uuids, " ")
	}
	editor := s.people["editor"]
	if got := find(editor.access); got != own+" "+open {
		t.Errorf("an editor finds %s", got)
	}
	authtest.Member(t, s.db, s.foreign, editor.id, permission.ChooseVenue)
	if got := find(editor.access); got != own+" "+others+" "+open {
		t.Errorf("one who may choose the venues of another organization finds %s", got)
	}
	if got := find(authtest.Key(t, s.db, editor.id, "", permission.EditEvent)); got != own+" "+open {
		t.Errorf("a key that may not finds %s", got)
	}
	if got := find(authtest.Key(t, s.db, s.people["owner"].id, s.org, permission.All)); got != own+" "+open {
		t.Errorf("the organization's key finds %s", got)
	}
	s.as(t, "neighbour", http.MethodGet, "/venues?org_uuid="+s.org, "").want(t, "a stranger", http.StatusNotFound, "organization_not_found")
}
