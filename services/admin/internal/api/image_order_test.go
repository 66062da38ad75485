package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// order puts images of the gallery in an order.
func (g gallery) order(t *testing.T, match string, uuids ...string) answer {
	t.Helper()
	body, err := json.Marshal(map[string]any{"images": uuids})
	if err != nil {
		t.Fatal(err)
	}
	return g.as(t, "owner", http.MethodPut, g.path+"/images/order", string(body), "If-Match", match)
}

// places returns the images of an answer by their identifiers.
func places(a answer) string {
	var lines []string
	images, _ := a.body["images"].([]any)
	for _, image := range images {
		fields, _ := image.(map[string]any)
		lines = append(lines, fmt.Sprintf("%v=%v", fields["identifier"], fields["alt_text"]))
	}
	return strings.Join(lines, " ")
}

// TestImageOrder: the first image becomes the main one, descriptions stay with their images, and a
// gap in the gallery closes.
func TestImageOrder(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	uuids := map[string]string{}
	for index, name := range map[int]string{1: "a", 3: "b", 8: "c"} {
		uuids[name] = fmt.Sprint(g.upload(t, index, avatarFile(t), "alt_text", name).body["uuid"])
	}
	a, b, c := uuids["a"], uuids["b"], uuids["c"]
	read := g.as(t, "owner", http.MethodGet, g.path, "").header.Get("ETag")
	ordered := g.order(t, read, c, strings.ToUpper(a), b)
	ordered.want(t, "order", http.StatusOK, "")
	if got := places(ordered); got != "main=c gallery_1=a gallery_2=b" {
		t.Errorf("ordered: %s", got)
	}
	stored := g.as(t, "owner", http.MethodGet, g.path, "")
	if got := places(stored); got != "main=c gallery_1=a gallery_2=b" {
		t.Errorf("stored: %s", got)
	}
	again := g.order(t, "*", c, a, b)
	again.want(t, "the order that it has", http.StatusOK, "")
	if again.header.Get("ETag") != stored.header.Get("ETag") {
		t.Error("the order that it has is another version")
	}
	g.order(t, read, a, b, c).want(t, "of an old version", http.StatusPreconditionFailed, "stale_event")

	for name, test := range map[string]struct {
		uuids  []string
		fields string
	}{
		"one is left out":      {[]string{a, b}, "images"},
		"none":                 {nil, "images"},
		"one is named twice":   {[]string{a, a, b, c}, "images[1]"},
		"one is of no image":   {[]string{a, newUUID(), "x"}, "images[1] images[2]"},
		"one is of the event":  {[]string{a, b, c, strings.TrimPrefix(g.path, "/event/")}, "images[3]"},
		"one is twice in caps": {[]string{a, strings.ToUpper(a), c}, "images[1]"},
	} {
		refused := g.order(t, "*", test.uuids...)
		refused.want(t, name, http.StatusBadRequest, "")
		if got := refused.fields(); got != test.fields {
			t.Errorf("%s: %s is wrong, want %s", name, got, test.fields)
		}
	}
	if got := places(g.as(t, "owner", http.MethodGet, g.path, "")); got != "main=c gallery_1=a gallery_2=b" {
		t.Errorf("after refusals: %s", got)
	}
}
