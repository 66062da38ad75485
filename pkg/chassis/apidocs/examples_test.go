package apidocs

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestWithExamples(t *testing.T) {
	document := `{"openapi":"3.1.0","paths":{"/a":{` +
		`"get":{"operationId":"getA","responses":{"200":{"content":{"application/json":{"schema":{"type":"object"}}}},"400":{"x":1}}},` +
		`"post":{"operationId":"postA","responses":{"200":{"content":{"application/json":{"schema":{}}}}}},` +
		`"put":{"operationId":"putA","responses":{"200":{"content":{"text/calendar":{"schema":{}EXAMPLE}}}}}}},"z":"é<b>"}`
	want := `{"openapi":"3.1.0","paths":{"/a":{` +
		`"get":{"operationId":"getA","responses":{"200":{"content":{"application/json":{"schema":{"type":"object"},"example":{"b":1,"a":"\u00e9"}}}},"400":{"x":1}}},` +
		`"post":{"operationId":"postA","responses":{"200":{"content":{"application/json":{"schema":{}}}}}},` +
		`"put":{"operationId":"putA","responses":{"200":{"content":{"text/calendar":{"schema":{}EXAMPLE}}}}}}},"z":"é<b>"}`
	document = strings.Replace(document, "EXAMPLE", "", 1)
	want = strings.Replace(want, "EXAMPLE", `,"example":"a\r\n\u003cb\u003e"`, 1)
	folder := fstest.MapFS{"getA.json": {Data: []byte(`{"b":1,"a":"\u00e9"}`)}, "putA.txt": {Data: []byte("a\r\n<b>")}, "other.json": {Data: []byte(`{}`)}}
	if got := string(WithExamples([]byte(document), folder)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
