package event

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/publicapi"
)

// Organizers read the labels of an event; operators also give them.
func TestLabels(t *testing.T) {
	for _, administrator := range []bool{false, true} {
		e := stored()
		e.Labels = []string{"tip"}
		c := start(t, e)
		c.Answer("GET /api/choosable-labels", http.StatusOK, []publicapi.Item{{ID: "tip", Name: "Tip of the week"}})
		attention := adminapi.Attention{}
		if administrator {
			attention.OpenReports = new(int)
		}
		c.Answer("GET /api/admin/user/attention", http.StatusOK, attention)
		c.Answer("GET /api/admin/labels", http.StatusOK, adminapi.Labels{Labels: []adminapi.LabelRow{
			{Label: adminapi.Label{ID: "kids", Names: map[string]string{"en": "For kids"}}},
			{Label: adminapi.Label{ID: "tip", Names: map[string]string{"en": "Tip of the week"}}},
		}})
		got := c.Get(address)
		if !strings.Contains(got.Body, `dir="auto">Tip of the week</span>`) {
			t.Errorf("no label in %s", got.Body)
		}
		if strings.Contains(got.Body, `id="label-event"`) != administrator || strings.Contains(got.Body, "For kids") != administrator {
			t.Errorf("a form for administrator %t", administrator)
		}
	}
}

func TestOperatorsGiveLabels(t *testing.T) {
	c := start(t, stored())
	const labelling = "PUT " + operation + "/labels"
	c.Answer(labelling, http.StatusOK, map[string]any{})
	for _, test := range []struct {
		form url.Values
		want string
	}{
		{url.Values{"labels": {"kids", "tip"}}, `{"labels":["kids","tip"]}`}, {url.Values{}, `{"labels":[]}`},
	} {
		got := c.Post(address+"/labels", test.form)
		calls := c.Calls(labelling)
		if got.Status != http.StatusSeeOther || string(calls[len(calls)-1].Body) != test.want {
			t.Errorf("%d, the service gets %s", got.Status, calls[len(calls)-1].Body)
		}
	}
}
