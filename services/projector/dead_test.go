package main

import (
	"strings"
	"testing"

	"litfass/services/projector/internal/dead"
	"litfass/services/projector/internal/testkit"
)

// TestListedNamesAreHarmless: any name on the stream fills one row, and commands no terminal.
func TestListedNamesAreHarmless(t *testing.T) {
	w := testkit.New(t)
	letters := w.Stream.DeadLetters("hostile")
	for _, name := range []string{
		"\x1b[2J\x1b]0;title\a", "a\tb\nc\rd", "*", ">", "..", "", "\u202eevil", "\x00\xff", strings.Repeat("ü.", 600), "' OR 1=1; --",
	} {
		if err := letters.PublishDead(t.Context(), []byte(name), name, name, name); err != nil {
			t.Fatalf("%q: %v", name, err)
		}
	}
	var out strings.Builder
	list := dead.Letters{Dead: letters, Stream: w.Stream, Index: w.Index}
	if err := listDead(t.Context(), list, &out); err != nil {
		t.Fatal(err)
	}
	stored, err := letters.Count(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != stored+1 || stored < 6 {
		t.Errorf("%d letters in %d lines", stored, len(lines))
	}
	for _, line := range lines {
		if line != plain(line) {
			t.Errorf("a terminal would obey %q", line)
		}
	}
}
