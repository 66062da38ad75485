package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestFailuresComeLast: the end of a log names each failure with the beginning of its output.
func TestFailuresComeLast(t *testing.T) {
	var log bytes.Buffer
	f := &failures{to: &log}
	for _, output := range []string{
		"ok  \tlitfass/a\t0.1s\n--- PASS: TestGood (0.00s)\n    a_test.go:1: fine\n", "--- FAIL: TestOuter (1.00s)\n    --- FA",
		"IL: TestOuter/inner (0.50s)\n        a_test.go:7: got 1, want 2\n", strings.Repeat("        more\n", 20),
		"=== NAME  TestLater\n    a_test.go:9: unrelated\nFAIL\nFAIL\tlitfass/b\t3s\nFAIL\tlitfass/c [build failed]\nok  \tlitfass/d\t0.2s\n",
	} {
		if _, err := fmt.Fprint(f, output); err != nil {
			t.Fatal(err)
		}
	}
	passed := log.String()
	f.summarize()
	got := strings.TrimPrefix(log.String(), passed)
	want := "\nThe failures, in short:\n--- FAIL: TestOuter (1.00s)\n    --- FAIL: TestOuter/inner (0.50s)\n        a_test.go:7: got 1, want 2\n" +
		strings.Repeat("        more\n", maxFailureLines-1) + "FAIL\tlitfass/c [build failed]\n"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	log.Reset()
	if (&failures{to: &log}).summarize(); log.Len() > 0 {
		t.Errorf("without a failure: %s", &log)
	}
}
