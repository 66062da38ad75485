package value

import (
	"reflect"
	"testing"
	"time"
)

// encoded encodes itself.
type encoded[V any] struct{ Value V }

func (encoded[V]) MarshalJSON() ([]byte, error) { return nil, nil }

func TestShapeNamesEveryKeyAndType(t *testing.T) {
	t.Parallel()
	type inner struct {
		Name string `json:"name"`
	}
	type outer struct {
		inner
		Text   Text              `json:"text"`
		Mask   *Mask             `json:"mask,omitempty"`
		Items  []inner           `json:"items"`
		Names  map[string]string `json:"names"`
		At     *time.Time        `json:"at"`
		Hidden encoded[inner]    `json:"hidden"`
	}
	const want = `{ {name string}; text value.Text string; mask,omitempty *value.Mask uint64; items []{name string}; ` +
		`names map[string]string; at *time.Time{}; hidden value.encoded[litfass/pkg/contracts/value.inner·1]{ {name string}}}`
	if got := Shape(reflect.TypeFor[outer]()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
