package api_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
)

// TestPortalsListsAndSeriesAreFew: an organization has a maximum number of each, those that move to
// it included; the operator does not.
func TestPortalsListsAndSeriesAreFew(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	for range 19 {
		s.portal(t, s.org)
	}
	for range 99 {
		s.list(t, s.org, newUUID())
	}
	for range 99 {
		s.series(t, s.org, "")
	}
	own, foreign := fmt.Sprintf("%q", s.org), fmt.Sprintf("%q", s.foreign)
	for kind, of := range map[string]struct{ name, code, elsewhere string }{
		"portal": {"name", "too_many_portals", "null"}, "list": {"name", "too_many_lists", "null"}, "series": {"title", "too_many_series", foreign},
	} {
		add := func(who, org string) answer {
			return s.as(t, who, http.MethodPut, "/"+kind, fmt.Sprintf(`{"org_uuid": %s, "slug": %q, %q: "Neu"}`, org, newUUID(), of.name))
		}
		add("owner", own).want(t, "the last "+kind, http.StatusCreated, "")
		add("owner", own).want(t, "one more "+kind, http.StatusConflict, of.code)
		free := add("platform", of.elsewhere)
		free.want(t, "a "+kind+" of others", http.StatusCreated, "")
		change := func(body string) answer {
			return s.as(t, "platform", http.MethodPut, "/"+kind+"/"+fmt.Sprint(free.body["uuid"]), body)
		}
		change(`{"org_uuid": `+own+`}`).want(t, "a move of a "+kind, http.StatusConflict, of.code)
		change(`{"`+of.name+`": "Anders"}`).want(t, "an edit of a "+kind, http.StatusOK, "")
	}
}

// TestSimultaneousCreationsAreFew: of many that come at once, only as many are stored as the
// organization may still have.
func TestSimultaneousCreationsAreFew(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	for range 19 {
		s.portal(t, s.org)
	}
	for range 99 {
		s.list(t, s.org, newUUID())
	}
	for range 99 {
		s.series(t, s.org, "")
	}
	for kind, title := range map[string]string{"portal": "name", "list": "name", "series": "title"} {
		var together sync.WaitGroup
		for range 8 {
			together.Go(func() {
				s.as(t, "owner", http.MethodPut, "/"+kind, fmt.Sprintf(`{"org_uuid": %q, "slug": %q, %q: "Neu"}`, s.org, newUUID(), title))
			})
		}
		together.Wait()
		stored, most := 0, map[string]int{"portal": 20, "list": 100, "series": 100}[kind]
		if s.one(t, &stored, "SELECT count(*) FROM "+kind+" WHERE org_uuid = '"+s.org+"'"); stored != most {
			t.Errorf("%d of the kind %s are stored, want %d", stored, kind, most)
		}
	}
}
