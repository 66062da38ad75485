package images

import (
	"testing"

	"litfass/pkg/picture"
)

// TestOriginalsAreKeptWhole: each focus point and type is read as it was kept.
func TestOriginalsAreKeptWhole(t *testing.T) {
	for _, kind := range []picture.Type{picture.JPEG, picture.PNG} {
		for n := range 101 {
			x, y := float64(n)/100, 1-float64(n)/100
			want := original{kind, picture.FocusAt(&x, &y)}
			if got := unpack(want.pack()); got != want {
				t.Fatalf("%v becomes %v", want, got)
			}
		}
	}
}
