package version_test

import (
	"encoding/json"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/version"
)

// TestPastIsRestored: over several writes, as long as each is known; whole values of earlier
// releases among them.
func TestPastIsRestored(t *testing.T) {
	t.Parallel()
	text := func(word string) string {
		return strings.Repeat("Hafen ", 1_000) + word + strings.Repeat(" Musik", 1_000)
	}
	passage := func(word string) adminapi.Passage { return adminapi.PassageOf(text(word), 5_990, 5_990, 2_000) }
	values := func(description any) version.Values {
		return version.ValuesOf(map[string]any{"description": description, "texts": map[string]any{"da": map[string]any{"description": description}}})
	}
	writes := [][2]version.Values{ // the newest first
		{values(passage("Blues")), values(passage("Rock"))},
		{values(passage("Jazz")), values(passage("Blues"))},
		{values("Pop"), values(passage("Jazz"))},
	}
	past := version.PastOf(values(text("Rock")))
	for i, want := range []string{text("Blues"), text("Jazz"), "Pop"} {
		got := past.Back(writes[i][0], writes[i][1])
		if whole := values(want); !version.Same(got["description"], whole["description"]) || !version.Same(got["texts"], whole["texts"]) {
			t.Errorf("write %d: %.80s, %.80s", i, got["description"], got["texts"])
		}
	}
	gap := version.PastOf(values(text("Rock")))
	if got := gap.Back(writes[1][0], writes[1][1]); len(got) != 0 {
		t.Errorf("restored without the write in between: %.80s", got)
	}
	if got := gap.Back(writes[2][0], writes[2][1]); got.Text("description") != "Pop" {
		t.Errorf("a whole value: %.80s", got["description"])
	}
}

// TestPassagesAreReadable: people read the passage, where they would read the text.
func TestPassagesAreReadable(t *testing.T) {
	t.Parallel()
	p := adminapi.PassageOf("Jazz am Hafen im Mai", 5, 7, 100)
	encoded, err := json.Marshal(map[string]any{"description": p, "images": []any{map[string]any{"alt_text": p}}, "title": "Jazz", "more": map[string]int{"images": 3}})
	if err != nil {
		t.Fatal(err)
	}
	read := version.ReadValues(encoded).Readable()
	if read.Text("description") != "… am Hafen …" || string(read["images"]) != `[{"alt_text":"… am Hafen …"}]` || read.Text("title") != "Jazz" ||
		read.More("images") != " … (+3)" || read.More("dates") != "" {
		t.Errorf("read %s", read)
	}
}
