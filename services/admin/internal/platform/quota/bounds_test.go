package quota_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"litfass/services/admin/internal/platform/quota"
)

// TestBoundsAreDocumented: the document for operators has a row with the numbers of each thing, and
// of no other.
func TestBoundsAreDocumented(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../../../../deploy/docs/bounds.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(content), "| thing |")
	table, _, _ = strings.Cut(table, "\n\n")
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 7 || !strings.Contains(cells[1], "`") {
			continue
		}
		rows++
		for i := range cells {
			cells[i] = strings.Trim(cells[i], " `\n")
		}
		bound, known := quota.Bounds[quota.Thing(cells[1])]
		want := []string{bound.Owner, number(bound.InAll), number(bound.ADay), bound.Code}
		if bound.InAll == 0 {
			want[3] = ""
		}
		if got := cells[2:6]; !known || strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s is described as %q, want %q", cells[1], got, want)
		}
	}
	if rows != len(quota.Bounds) {
		t.Errorf("%d things are described, want %d", rows, len(quota.Bounds))
	}
}
