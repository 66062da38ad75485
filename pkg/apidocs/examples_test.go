package apidocs

import (
	"testing"
	"testing/fstest"
)

func TestWithExamples(t *testing.T) {
	const document = `{"openapi":"3.1.0","paths":{"/a":{` +
		`"get":{"operationId":"getA","responses":{"200":{"content":{"application/json":{"schema":{"type":"object"}}}},"400":{"x":1}}},` +
		`"post":{"operationId":"postA","responses":{"200":{"content":{"application/json":{"schema":{}}}}}}}},"z":"é<b>"}`
	const want = `{"openapi":"3.1.0","paths":{"/a":{` +
		`"get":{"operationId":"getA","responses":{"200":{"content":{"application/json":{"schema":{"type":"object"},"example":{"b":1,"a":"\u00e9"}}}},"400":{"x":1}}},` +
		`"post":{"operationId":"postA","responses":{"200":{"content":{"application/json":{"schema":{}}}}}}}},"z":"é<b>"}`
	folder := fstest.MapFS{"getA.json": {Data: []byte(`{"b":1,"a":"\u00e9"}`)}, "other.json": {Data: []byte(`{}`)}}
	if got := string(WithExamples([]byte(document), folder)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
