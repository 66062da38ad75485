package change

import (
	"strings"
	"testing"
)

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
