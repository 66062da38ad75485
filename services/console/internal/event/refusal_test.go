package event

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page/pagetest"
)

// TestRefusalsSayTheirLanguage: on a German page a known refusal is German, and a refusal that
// exists only in English is marked as English.
func TestRefusalsSayTheirLanguage(t *testing.T) {
	for path, operation := range map[string]string{
		"/console/event/new":           "POST /api/admin/event/create",
		address + "/release/released":  "PUT " + operation + "/release-status",
		address + "/delete":            "DELETE " + operation,
		address + "/edit/visitor-info": "PUT " + operation + "/participation-infos",
	} {
		c := start(t, ready())
		body := c.Get(address + "?lang=de").Body
		form := url.Values{
			"org_uuid": {pagetest.Org}, "title": {"Jazz"}, "password": {"secret"}, "tag": {`"1"`}, "base": {base(t, body, "edit-visitor-info")},
			"flag": {"3"},
		}
		for refusal, want := range map[[2]string]string{
			{"event_taken_back", "is taken back"}: "<span>Die Plattform hat diese Veranstaltung zurückgezogen.",
			{"odd", "quite unheard of"}:           `<span lang="en">quite unheard of</span>`,
		} {
			c.Refuse(operation, http.StatusConflict, adminapi.Error{Code: refusal[0], Error: refusal[1]})
			got := c.Post(path, form)
			if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, want) || strings.Contains(got.Body, "\u2063") {
				t.Errorf("%s: %d, %s is not in %s", path, got.Status, want, got.Body)
			}
		}
	}
}

// TestAReasonOfTheFlagsSaysItsLanguage: their field is drawn here.
func TestAReasonOfTheFlagsSaysItsLanguage(t *testing.T) {
	c := start(t, stored())
	body := c.Get(address + "?lang=de").Body
	c.Refuse("PUT "+operation+"/participation-infos", http.StatusBadRequest, adminapi.Error{
		Code: "invalid_event", Error: "invalid", Details: []fault.Violation{{Field: "visitor_info_flags", Reason: "is odd"}},
	})
	got := c.Post(address+"/edit/visitor-info", url.Values{"flag": {"3"}, "base": {base(t, body, "edit-visitor-info")}})
	if n := strings.Count(got.Body, `<span lang="en">is odd</span>`); n != 2 || strings.Contains(got.Body, "\u2063") {
		t.Errorf("%d, marked %d times in %s", got.Status, n, got.Body)
	}
}

// TestADeletionNeedsThePassword: what is refused for another reason does not blame the password.
func TestADeletionNeedsThePassword(t *testing.T) {
	c := start(t, ready())
	for _, test := range []struct {
		password     string
		status, want int
		code, words  string
	}{
		{"", 0, http.StatusUnprocessableEntity, "", "Enter your password."},
		{"x", http.StatusForbidden, http.StatusUnprocessableEntity, "wrong_password", "This is not your password."},
		{"x", http.StatusTooManyRequests, http.StatusUnprocessableEntity, "too_many_attempts", "<span>Too many attempts. Try again later.</span>"},
		{"x", http.StatusForbidden, http.StatusForbidden, "permission_missing", "You may not do this"},
	} {
		c.Refuse("DELETE "+operation, test.status, adminapi.Error{Error: "try later", Code: test.code})
		got := c.Post(address+"/delete", url.Values{"password": {test.password}})
		if got.Status != test.want || !strings.Contains(got.Body, test.words) {
			t.Errorf("%q %s: %d, %q is not in %s", test.password, test.code, got.Status, test.words, got.Body)
		}
		if wrong := test.code == "" || test.code == "wrong_password"; strings.Contains(got.Body, `aria-invalid="true"`) != wrong {
			t.Errorf("%q %s: the password is named as wrong: %t", test.password, test.code, !wrong)
		}
	}
	if calls := c.Calls("DELETE " + operation); len(calls) != 3 {
		t.Errorf("%d requests, without a password too", len(calls))
	}
}

// TestFlagsWithoutANameStay: the form keeps flags that the page cannot show, such as all of them
// while the public API does not answer.
func TestFlagsWithoutANameStay(t *testing.T) {
	for flags, want := range map[*[]publicapi.Flag]string{
		nil: `{"visitor_info_flags":"1032"}`, {{ID: "3", Name: "Queer friendly", TopicID: "1"}}: `{"visitor_info_flags":"1024"}`,
	} {
		e, mask := stored(), value.Mask(1<<3|1<<10)
		e.VisitorInfoFlags = &mask
		c := start(t, e)
		c.Refuse("GET /api/visitor-info/flags", http.StatusServiceUnavailable, adminapi.Error{Error: "not now", Code: "unavailable"})
		if flags != nil {
			c.Answer("GET /api/visitor-info/flags", http.StatusOK, *flags)
		}
		body := c.Get(address).Body
		_, drawn, _ := strings.Cut(body, `id="visitor_info_flags"`)
		drawn, _, _ = strings.Cut(drawn, "</fieldset>")
		form := url.Values{"base": {base(t, body, "edit-visitor-info")}}
		for _, bit := range []string{"3", "10"} {
			if strings.Contains(drawn, `type="hidden" name="flag" value="`+bit+`"`) {
				form.Add("flag", bit)
			}
		}
		c.Answer("PUT "+operation+"/participation-infos", http.StatusOK, adminapi.WrittenParticipation{})
		c.Post(address+"/edit/visitor-info", form)
		if calls := c.Calls("PUT " + operation + "/participation-infos"); len(calls) != 1 || string(calls[0].Body) != want {
			t.Errorf("the service gets %+v, want %s", calls, want)
		}
	}
}
