package moderation

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
)

const labelled = "PUT /api/admin/label/tip"

func TestLabelsAreWritten(t *testing.T) {
	c := start(t)
	c.Answer(labelled, http.StatusOK, map[string]any{})
	form := url.Values{"new": {"1"}, "key": {" tip "}, "en": {"Tip"}, "de": {"Tipp"}, "da": {""}}
	if got := c.Post(root+"/labels", form); got.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	calls := c.Calls(labelled)
	if want := `{"names":{"da":"","de":"Tipp","en":"Tip"}}`; len(calls) != 1 || string(calls[0].Body) != want {
		t.Errorf("the service gets %+v", calls)
	}

	c.Answer(labelled, http.StatusBadRequest, adminapi.Error{
		Code: "invalid_label", Details: []fault.Violation{{Field: "names.en", Reason: "is missing", Code: "required"}},
	})
	form.Set("en", "")
	got := c.Post(root+"/labels", form)
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="Tipp"`) || !strings.Contains(got.Body, `id="label-new-en-error"`) {
		t.Errorf("a refused label: %d %s", got.Status, got.Body)
	}
	form.Set("key", "")
	if got := c.Post(root+"/labels", form); got.Status != http.StatusUnprocessableEntity || len(c.Calls(labelled)) != 2 {
		t.Errorf("a label without a key: %d", got.Status)
	}
}

func TestLabelsAreDeleted(t *testing.T) {
	c := start(t)
	if got := c.Get(root + "/labels/tip/delete"); got.Status != http.StatusOK || !strings.Contains(got.Body, "on 3 events") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := c.Get(root + "/labels/unknown/delete"); got.Status != http.StatusNotFound {
		t.Errorf("an unknown label: %d", got.Status)
	}
	const operation = "DELETE /api/admin/label/tip"
	c.Answer(operation, http.StatusOK, map[string]any{})
	got := c.Post(root+"/labels/tip/delete", url.Values{"password": {"secret"}})
	if calls := c.Calls(operation); got.Status != http.StatusSeeOther || len(calls) != 1 || string(calls[0].Body) != `{"password":"secret"}` {
		t.Errorf("%d, the service gets %+v", got.Status, calls)
	}
}
