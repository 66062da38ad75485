// Package value contains the value types that all contracts write alike: text that may be absent,
// and a 64-bit mask.
package value

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// Text is a string that is null in JSON when empty. Null and "" both read as the empty Text.
type Text string

// MarshalJSON writes null for the empty Text and a JSON string otherwise. Whether <, > and & are
// escaped is left to the encoder that calls it.
func (t Text) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return JSON(string(t))
}

// JSON returns the JSON of v with <, > and & as they are, which json.Marshal escapes.
func JSON(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// Mask is a set of bits 0 to 63. In JSON it is a decimal string (RULES.md, Ids and names), because
// many clients lose bits above 53 of a number. A nil *Mask is unset and matches no filter; a zero
// Mask is set and empty.
type Mask uint64

// ParseMask reads a mask from its decimal text.
func ParseMask(s string) (Mask, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("mask %q is not a decimal integer from 0 to 18446744073709551615", s)
	}
	return Mask(n), nil
}

// Bits returns the positions of the set bits in ascending order; never nil.
func (m Mask) Bits() []int {
	bits := []int{}
	for i := range 64 {
		if m&(1<<i) != 0 {
			bits = append(bits, i)
		}
	}
	return bits
}

// String returns the mask as a decimal integer.
func (m Mask) String() string { return strconv.FormatUint(uint64(m), 10) }

// MarshalJSON writes the mask as a decimal string.
func (m Mask) MarshalJSON() ([]byte, error) { return []byte(`"` + m.String() + `"`), nil }

// UnmarshalJSON reads a mask from a decimal string or a plain JSON integer; anything else is an
// error.
func (m *Mask) UnmarshalJSON(data []byte) error {
	if bytes.Equal(data, []byte("null")) {
		return nil
	}
	parsed, err := ParseMask(string(bytes.Trim(data, `"`)))
	if err != nil {
		return err
	}
	*m = parsed
	return nil
}
