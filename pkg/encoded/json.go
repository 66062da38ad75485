package encoded

import (
	"bytes"
	"encoding/json"
)

// JSON writes v without escaping <, > and &: answers are never read as HTML (their type is JSON,
// with nosniff). The error is that of encoding/json.
func JSON(v any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}
