package version

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"strconv"
	"strings"

	"litfass/pkg/contracts/value"
)

// Values are the fields of a resource as the admin service writes them.
type Values map[string]json.RawMessage

// ValuesOf returns the fields of a resource of package adminapi.
func ValuesOf(resource any) Values {
	var values Values
	if encoded, err := json.Marshal(resource); err == nil {
		_ = json.Unmarshal(encoded, &values) // anything but an object has no fields
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
	_ = v.Read(key, &list) // anything but a list of texts is empty
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

// Mask returns a field of flags; nil for null.
func (v Values) Mask(key string) (mask *value.Mask) {
	_ = v.Read(key, &mask) // an unreadable one is shown as unknown
	return mask
}

// DigestOf returns digests of some fields, with their names: "color~1x8Kc2Vd.name~Qm3aT0Zb". It
// differs once one of them has changed.
func (v Values) DigestOf(keys ...string) string {
	digests := Seen{}
	for _, key := range keys {
		digests[key] = digest(v[key])
	}
	return digests.String()
}

// digest returns a few characters that differ for different values.
func digest(value json.RawMessage) string {
	sum := sha256.Sum256(Canonical(value))
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}

// Decoded returns a field as encoding/json decodes it; nil for null.
func (v Values) Decoded(key string) (value any) {
	_ = v.Read(key, &value) // the service writes JSON
	return value
}

// Same reports whether two values are equal; an absent one is null.
func Same(a, b json.RawMessage) bool { return bytes.Equal(Canonical(a), Canonical(b)) }

// Canonical writes equal values alike: an absent one is null, and texts are as a form sends them
// back.
func Canonical(value json.RawMessage) []byte {
	if len(value) == 0 {
		return []byte("null")
	}
	var decoded any
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	if decoder.Decode(&decoded) != nil {
		return value
	}
	encoded, err := json.Marshal(asSent(decoded))
	if err != nil {
		return value
	}
	return encoded
}

// asSent returns a decoded value as a form sends it back that was filled with it: without spaces
// around texts, with one kind of line end, null for no text. Other clients store such texts, and
// who opens the form has not changed them.
func asSent(value any) any {
	switch value := value.(type) {
	case string:
		text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(value)
		if text = strings.TrimSpace(text); text == "" {
			return nil
		}
		return text
	case []any:
		for i := range value {
			value[i] = asSent(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = asSent(value[key])
		}
	}
	return value
}

// With returns the values with newer ones in their place.
func (v Values) With(newer Values) Values {
	merged := maps.Clone(v)
	maps.Copy(merged, newer)
	return merged
}
