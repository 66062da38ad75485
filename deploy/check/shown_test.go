package check

import (
	"os"
	"strings"
	"testing"
)

// unshown are the figures that the dashboard leaves out, and why.
var unshown = map[string]string{
	"litfass_projector_applied_sequence": "litfass_projector_pending_changes shows how far it is behind",
	"litfass_projector_stream_sequence":  "litfass_projector_pending_changes shows how far it is behind",
}

// TestDashboardShowsEveryFigure: what the services export of Litfass itself has a place on the
// dashboard.
func TestDashboardShowsEveryFigure(t *testing.T) {
	content, err := os.ReadFile("../observe/grafana/litfass.json")
	if err != nil {
		t.Fatal(err)
	}
	dashboard := string(content)
	seen := map[string]bool{}
	for _, service := range serviceNames {
		for name := range exported(t, service) {
			figure := name
			for _, part := range []string{"_bucket", "_sum", "_count"} { // a histogram is shown by one of them
				figure = strings.TrimSuffix(figure, part)
			}
			if !strings.HasPrefix(figure, "litfass_") || seen[figure] {
				continue
			}
			seen[figure] = true
			_, left := unshown[figure]
			if shows := strings.Contains(dashboard, figure); shows == left {
				t.Errorf("%s of %s is on the dashboard: %v", figure, service, shows)
			}
		}
	}
	for figure := range unshown {
		if !seen[figure] {
			t.Errorf("no service exports %s", figure)
		}
	}
}
