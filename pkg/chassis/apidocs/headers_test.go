package apidocs

import "testing"

func TestWithHeaders(t *testing.T) {
	const document = `{"paths":{"/a":{"get":{"responses":{"200":{"description":"x"},"404":{"$ref":"#/components/responses/Gone"}}},` +
		`"post":{"responses":{"201":{"description":"y","headers":{"ETag":{}}}}}}},` +
		`"components":{"responses":{"Gone":{"description":"z"}}}}`
	const want = `{"paths":{"/a":{"get":{"responses":{"200":{"description":"x","headers":{"Left":{"$ref":"#/components/headers/Left"}}},` +
		`"404":{"$ref":"#/components/responses/Gone"}}},` +
		`"post":{"responses":{"201":{"description":"y","headers":{"ETag":{},"Left":{"$ref":"#/components/headers/Left"},` +
		`"Place":{"$ref":"#/components/headers/Position"}}}}}}},` +
		`"components":{"responses":{"Gone":{"description":"z","headers":{"Left":{"$ref":"#/components/headers/Left"}}}}}}`
	got := WithHeaders([]byte(document), []Header{
		{Name: "Left", Component: "Left"},
		{Name: "Place", Component: "Position", Own: true, Methods: []string{"post"}},
	})
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
