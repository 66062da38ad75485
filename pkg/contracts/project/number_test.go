package project

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestCoordinatesHaveNoMoreDigitsThanTheEngineReads(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 10_000 {
		number := 360*random.Float64() - 180
		kept := *coordinate(&number)
		digits := strings.TrimLeft(strings.NewReplacer("-", "", ".", "").Replace(strconv.FormatFloat(kept, 'f', -1, 64)), "0")
		if len(digits) > 15 {
			t.Fatalf("%v becomes %v, which has %d digits", number, kept, len(digits))
		}
		if distance := kept - number; distance > 1e-11 || distance < -1e-11 {
			t.Fatalf("%v becomes %v", number, kept)
		}
		if again := *coordinate(&kept); again != kept {
			t.Fatalf("%v becomes %v", kept, again)
		}
	}
	if coordinate(nil) != nil {
		t.Error("an absent coordinate becomes one")
	}
}

func TestGeometryIsKeptButForSuperfluousDigits(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{`{"type":"Polygon","coordinates":[[[9.123456789012345,54.5],[10,-0.00000000000000001]]]}`,
			`{"coordinates":[[[9.12345678901,54.5],[10,-0]]],"type":"Polygon"}`},
		{`{}`, `{}`},
	} {
		if got, err := geometry(json.RawMessage(test.in)); err != nil || string(got) != test.want {
			t.Errorf("got %s, %v, want %s", got, err, test.want)
		}
	}
	if _, err := geometry(json.RawMessage(`{"coordinates":[1e999]}`)); err == nil {
		t.Error("a number beyond all bounds is taken")
	}
}
