package document

import (
	"encoding/json"

	"litfass/pkg/contracts/value"
)

// Encoded is a value that a document holds as JSON text, in one attribute. The engine neither takes
// it apart nor reads it number by number, and a query service copies it into its answer.
//
// The text of equal values is equal, byte for byte: keys are in the order of the struct, numbers as
// encoding/json writes them, <, > and & as they are, without white space.
type Encoded[V any] struct{ Value V }

// MarshalText writes the value's JSON, which becomes a JSON string in a document.
func (e Encoded[V]) MarshalText() ([]byte, error) { return value.JSON(e.Value) }

// UnmarshalJSON reads that JSON string. It also reads the plain value, as in documents of
// Version 3.
func (e *Encoded[V]) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		data = []byte(text)
	}
	return json.Unmarshal(data, &e.Value)
}
