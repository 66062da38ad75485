package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

func TestTheDescriptionIsValid(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(JSON())
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Validate(t.Context()); err != nil { // examples included
		t.Error(err)
	}
	if document.OpenAPI != "3.1.0" {
		t.Errorf("version %s", document.OpenAPI)
	}
}

// TestNoKeyIsWrittenTwice guards against merges in the source that override a key: the JSON would hold both.
func TestNoKeyIsWrittenTwice(t *testing.T) {
	if err := uniqueKeys(json.NewDecoder(bytes.NewReader(JSON()))); err != nil {
		t.Error(err)
	}
	if uniqueKeys(json.NewDecoder(bytes.NewReader([]byte(`{"a":[{"b":1,"c":{},"b":2}]}`)))) == nil {
		t.Error("a key that is there twice passes")
	}
}

// uniqueKeys reads one JSON value and returns an error that names the first key which an object holds twice.
func uniqueKeys(decoder *json.Decoder) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	open, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	seen := map[string]bool{}
	for decoder.More() {
		if open == '{' {
			key, err := decoder.Token()
			if err != nil {
				return err
			}
			if seen[fmt.Sprint(key)] {
				return fmt.Errorf("%v is there twice", key)
			}
			seen[fmt.Sprint(key)] = true
		}
		if err := uniqueKeys(decoder); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
}
