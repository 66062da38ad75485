package change

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/value"
)

func TestShapeNamesEveryKeyAndType(t *testing.T) {
	t.Parallel()
	type inner struct {
		Name string `json:"name"`
	}
	type outer struct {
		inner
		Text  value.Text        `json:"text"`
		Mask  *value.Mask       `json:"mask,omitempty"`
		Items []inner           `json:"items"`
		Names map[string]string `json:"names"`
		At    *time.Time        `json:"at"`
		Count *int              `json:"count"`
	}
	const want = `{ {name string}; text value.Text; mask,omitempty *value.Mask; items []{name string}; ` +
		`names map[string]string; at *time.Time; count *int}`
	if got := shape(reflect.TypeFor[outer]()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Two kinds never share a shape, and each shape has the keys of the kind's snapshots at any depth.
func TestShapesOfSnapshots(t *testing.T) {
	t.Parallel()
	kinds := map[string]Kind{}
	for _, kind := range Kinds {
		shape := Shape(kind)
		if other, known := kinds[shape]; known {
			t.Errorf("%s has the shape of %s", kind, other)
		}
		kinds[shape] = kind
	}
	for _, key := range []string{"title string", "venues []{uuid string", "focus_x *float64"} {
		if !strings.Contains(Shape(KindEvent), key) {
			t.Errorf("%q is missing in %s", key, Shape(KindEvent))
		}
	}
}
