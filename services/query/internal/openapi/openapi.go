// Package openapi holds the description of the public operations (OpenAPI 3.1) and shows it: as JSON for programs and as a
// page for people.
package openapi

import (
	_ "embed"
	"fmt"

	"github.com/goccy/go-yaml"
)

//go:embed openapi.yaml
var source []byte

// JSON returns the description as JSON, with its keys in the order in which they were written. It panics when the embedded
// file is broken.
func JSON() []byte {
	document, err := yaml.YAMLToJSON(source)
	if err != nil {
		panic(fmt.Sprintf("embedded OpenAPI description: %v", err))
	}
	return document
}
