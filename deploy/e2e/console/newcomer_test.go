package console

import (
	"encoding/json"
	"fmt"
	"testing"

	"litfass/deploy/e2e/harness"
)

// effort is how much a person does for the first event.
type effort struct {
	Submits, Keys, Fields, Clicks int
	Seconds                       float64
}

// What the first event took before there were steps: forms sent without scripts, and keys pressed.
const submitsBefore, keysBefore = 9, 164

// testNewcomer: the three steps take at least a third less than that, and than the pages that offer
// everything. Both ways meet a venue of the other one that may be the same.
func (c *consoleTest) testNewcomer(t *testing.T) {
	for _, way := range []struct {
		name              string
		scripts, keyboard bool
		locale            string
	}{{"keyboard", true, true, "en"}, {"phone", true, false, "de"}, {"no-scripts", false, false, "da"}} {
		t.Run(way.name, func(t *testing.T) {
			efforts := map[bool]effort{}
			for _, long := range []bool{true, false} {
				j := c.journey("console-newcomer", way.scripts, map[string]any{
					"email": fmt.Sprintf("newcomer-%s-%t@example.org", way.name, long), "password": harness.EditorPassword,
					"title": fmt.Sprintf("Anfang %s %t", way.name, long), "day": harness.Day(12), "keyboard": way.keyboard, "long": long,
				})
				j.Context["viewport"], j.Context["locale"] = map[string]int{"width": 360, "height": 640}, way.locale
				if way.keyboard {
					j.Context["viewport"] = map[string]int{"width": 1280, "height": 800}
				}
				result := c.run(t, j)
				wantNoFault(t, result.Requests)
				var e effort
				if err := json.Unmarshal(result.Value, &e); err != nil {
					t.Fatal(err)
				}
				efforts[long] = e
			}
			before, after := efforts[true], efforts[false]
			t.Logf("by all pages %+v, by the steps %+v", before, after)
			tooMany := !way.scripts && 3*after.Submits > 2*submitsBefore || way.keyboard && 3*after.Keys > 2*keysBefore
			if tooMany || 3*(after.Keys+after.Clicks) > 2*(before.Keys+before.Clicks) {
				t.Errorf("the steps take more than two thirds: %+v of %+v", after, before)
			}
		})
	}
}
