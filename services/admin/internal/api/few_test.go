package api_test

import (
	"fmt"
	"net/http"
	"testing"
)

// TestPortalsAndListsAreFew: an organization has a maximum number of each, those that move to it
// included; the operator does not.
func TestPortalsAndListsAreFew(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	for range 19 {
		s.portal(t, s.org)
	}
	for range 99 {
		s.list(t, s.org, newUUID())
	}
	own := fmt.Sprintf("%q", s.org)
	for _, kind := range []string{"portal", "list"} {
		add := func(who, org string) answer {
			return s.as(t, who, http.MethodPut, "/"+kind, fmt.Sprintf(`{"org_uuid": %s, "slug": %q, "name": "Neu"}`, org, newUUID()))
		}
		add("owner", own).want(t, "the last "+kind, http.StatusCreated, "")
		add("owner", own).want(t, "one more "+kind, http.StatusConflict, "too_many_"+kind+"s")
		free := add("platform", "null")
		free.want(t, "a "+kind+" of the operator", http.StatusCreated, "")
		change := func(body string) answer {
			return s.as(t, "platform", http.MethodPut, "/"+kind+"/"+fmt.Sprint(free.body["uuid"]), body)
		}
		change(`{"org_uuid": `+own+`}`).want(t, "a move of a "+kind, http.StatusConflict, "too_many_"+kind+"s")
		change(`{"name": "Anders"}`).want(t, "an edit of a "+kind, http.StatusOK, "")
	}
}
