package apply_test

import (
	"encoding/json"
	"testing"

	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/testkit"
)

// TestARefusedChangeMayHaveAlteredAnything: the engine refuses the new dates of an event, but has
// deleted the former one before.
func TestARefusedChangeMayHaveAlteredAnything(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	a, _ := setup(t, w)
	event, date := testkit.ID(), testkit.ID()
	applyTo(t, w, a, testkit.Event(t, event, 1, "one", date))
	refused := testkit.Event(t, event, 2, "refused", testkit.ID())
	var snapshot map[string]any
	if err := json.Unmarshal(refused.Snapshot, &snapshot); err != nil {
		t.Fatal(err)
	}
	snapshot["dates"].([]any)[0].(map[string]any)["uuid"] = "not an id!"
	refused.Snapshot, _ = json.Marshal(snapshot)
	batch := applyTo(t, w, a, refused)
	if count, err := w.Index.Count(t.Context(), document.Dates); !batch.Altered.All || count != 0 || err != nil {
		t.Errorf("a batch that the engine refused: %+v, while the index has %d dates, %v", batch.Altered, count, err)
	}
}
