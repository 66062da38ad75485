package autosave

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// Values are the fields of a resource as the admin service writes them.
type Values map[string]json.RawMessage

// ValuesOf returns the fields of a resource of package adminapi.
func ValuesOf(resource any) Values {
	var values Values
	if encoded, err := json.Marshal(resource); err == nil {
		_ = json.Unmarshal(encoded, &values) // what is no object has no fields
	}
	return values
}

// Text returns a field as text: "" for null, numbers in digits, lists as JSON.
func (v Values) Text(key string) string {
	var text string
	if json.Unmarshal(v[key], &text) == nil {
		return text
	}
	return string(v[key])
}

// Read decodes a field.
func (v Values) Read(key string, into any) error {
	if v[key] == nil {
		return nil
	}
	return json.Unmarshal(v[key], into)
}

// Strings returns a list of texts; nil for null.
func (v Values) Strings(key string) (list []string) {
	_ = v.Read(key, &list) // what is no list of texts is empty
	return list
}

// Bool returns a field that is true or false; false for null.
func (v Values) Bool(key string) bool { return string(v[key]) == "true" }

// Int returns a whole number; nil for null.
func (v Values) Int(key string) *int {
	if n, err := strconv.Atoi(v.Text(key)); err == nil {
		return &n
	}
	return nil
}

// DigestOf returns a digest of some fields: it differs once one has changed.
func (v Values) DigestOf(keys ...string) string {
	sum := sha256.New()
	for _, key := range slices.Sorted(slices.Values(keys)) {
		sum.Write([]byte(key))
		sum.Write([]byte{0})
		sum.Write(canonical(v[key]))
		sum.Write([]byte{0})
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:12])
}

// equal reports whether a body would change nothing.
func (v Values) equal(body map[string]any) bool {
	for key, value := range ValuesOf(body) {
		if !same(v[key], value) {
			return false
		}
	}
	return true
}

// text returns the fields that a body writes, as JSON.
func (v Values) text(body map[string]any) string {
	before := Values{}
	for key := range body {
		before[key] = canonical(v[key])
	}
	encoded, err := json.Marshal(before)
	if err != nil {
		return ""
	}
	return string(encoded)
}

func same(a, b json.RawMessage) bool { return bytes.Equal(canonical(a), canonical(b)) }

// canonical writes a value in one way: an absent one is null.
func canonical(value json.RawMessage) []byte {
	if len(value) == 0 {
		return []byte("null")
	}
	var decoded any
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	if decoder.Decode(&decoded) != nil {
		return value
	}
	encoded, err := json.Marshal(decoded)
	if err != nil {
		return value
	}
	return encoded
}

// merge returns values with newer ones in their place.
func merge(values, newer Values) Values {
	merged := maps.Clone(values)
	maps.Copy(merged, newer)
	return merged
}
