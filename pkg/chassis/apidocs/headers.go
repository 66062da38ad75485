package apidocs

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Header is a header that many answers have. WithHeaders adds it, so that a description need not
// repeat it.
type Header struct {
	Name      string // "RateLimit"
	Component string // its description below components/headers
	// Own headers are those of answers that an operation describes itself, and not of the shared ones
	// in components/responses, which are errors.
	Own     bool
	Methods []string // of the operations, in lower case; nil for all
}

// WithHeaders returns a description, as JSON returns it, with the headers in the answers that have
// them. It panics when the description is not valid JSON: it is embedded in the program.
func WithHeaders(document []byte, headers []Header) []byte {
	shared := slices.DeleteFunc(slices.Clone(headers), func(h Header) bool { return h.Own })
	document = at(document, []string{"components", "responses"}, func(responses []byte) []byte {
		return eachMember(responses, func(_ string, response []byte) []byte { return withHeaders(response, shared) })
	})
	return within(document, "paths", func(paths []byte) []byte {
		return eachMember(paths, func(_ string, operations []byte) []byte {
			return eachMember(operations, func(method string, operation []byte) []byte {
				return withHeadersOf(operation, method, headers)
			})
		})
	})
}

func withHeadersOf(operation []byte, method string, headers []Header) []byte {
	headers = slices.DeleteFunc(slices.Clone(headers), func(h Header) bool {
		return h.Methods != nil && !slices.Contains(h.Methods, method)
	})
	return within(operation, "responses", func(responses []byte) []byte {
		return eachMember(responses, func(_ string, response []byte) []byte { return withHeaders(response, headers) })
	})
}

// withHeaders adds headers to an answer, unless it refers to a shared one.
func withHeaders(response []byte, headers []Header) []byte {
	var described map[string]json.RawMessage
	if err := json.Unmarshal(response, &described); err != nil {
		panic(fmt.Sprintf("embedded OpenAPI description: %v", err))
	}
	if _, refers := described["$ref"]; refers || len(headers) == 0 {
		return response
	}
	if _, has := described["headers"]; !has {
		response = append(response[:len(response)-1:len(response)-1], `,"headers":{}}`...)
	}
	return within(response, "headers", func(own []byte) []byte {
		for _, h := range headers {
			own = append(own[:len(own)-1:len(own)-1], fmt.Sprintf(`%s%q:{"$ref":"#/components/headers/%s"}}`,
				separator(own), h.Name, h.Component)...)
		}
		return own
	})
}

// separator returns the text before a further member of an object.
func separator(object []byte) string {
	if string(object) == "{}" {
		return ""
	}
	return ","
}
