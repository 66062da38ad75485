package apply

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/index"
)

func TestLinesFillTasks(t *testing.T) {
	var l lines
	if len(l.parts()) != 0 {
		t.Error("nothing makes a task")
	}
	document := map[string]string{"text": strings.Repeat("<x>", 100_000)}
	const n = 40
	for range n {
		if _, err := l.add(document); err != nil {
			t.Fatal(err)
		}
	}
	line := `{"text":"` + document["text"] + "\"}\n"
	parts := l.parts()
	if len(parts) < 3 || !bytes.Equal(bytes.Join(parts, nil), []byte(strings.Repeat(line, n))) {
		t.Errorf("%d documents in %d tasks are not what was added", n, len(parts))
	}
	for i, part := range parts {
		if len(part) >= index.TaskBytes+len(line) || part[len(part)-1] != '\n' {
			t.Errorf("task %d has %d bytes", i, len(part))
		}
	}
	if l.clear(); len(l.parts()) != 0 {
		t.Error("something is left")
	}
}

func TestOnlyDatesThatNoEventHasAreLeft(t *testing.T) {
	w := writer{
		written: map[string]string{"stays": "a", "moved": "b"},
		events:  map[string]bool{"a": true, "b": true},
	}
	indexed := map[string]string{"stays": "a", "moved": "a", "gone": "b", "unchanged": "c"}
	if got := w.surplus(indexed); !slices.Equal(got, []string{"gone"}) {
		t.Errorf("left %v", got)
	}
	if got := w.surplus(nil); got != nil {
		t.Errorf("left %v of nothing", got)
	}
}
