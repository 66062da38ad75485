package value

import (
	"encoding/json"
	"strconv"
)

// Count is a whole number that may be absent, which is null in JSON. Unlike pointers, two counts
// can be compared.
type Count struct {
	number int
	given  bool
}

// Counted returns the count n.
func Counted(n int) Count { return Count{n, true} }

// Number returns the number, and whether there is one.
func (c Count) Number() (n int, given bool) { return c.number, c.given }

// String returns the number as text, "" without one.
func (c Count) String() string {
	if !c.given {
		return ""
	}
	return strconv.Itoa(c.number)
}

// MarshalJSON writes the number, or null.
func (c Count) MarshalJSON() ([]byte, error) {
	if !c.given {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(c.number), 10), nil
}

// UnmarshalJSON reads a whole number or null.
func (c *Count) UnmarshalJSON(data []byte) error {
	var number *int
	if err := json.Unmarshal(data, &number); err != nil {
		return err
	}
	*c = Count{}
	if number != nil {
		*c = Counted(*number)
	}
	return nil
}
