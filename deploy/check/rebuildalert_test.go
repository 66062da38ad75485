package check

import (
	"log/slog"
	"os"
	"regexp"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

// repeatedly is the number of failures from which a projector shows why a rebuild fails.
var repeatedly = regexp.MustCompile(`(?m)^const repeatedly = (\d+)$`)

// TestRebuildFailingAlertsAsReadyzShows: the alert begins with the failure from which /readyz shows
// the cause. TestRebuildThatKeepsFailingIsShown of the projector plants failures of the swap.
func TestRebuildFailingAlertsAsReadyzShows(t *testing.T) {
	source, err := os.ReadFile("../../services/projector/internal/node/failures.go")
	if err != nil {
		t.Fatal(err)
	}
	found := repeatedly.FindSubmatch(source)
	if found == nil {
		t.Fatal("failures.go names no number of failures")
	}
	want := "max by (instance) (litfass_projector_rebuild_failures) >= " + string(found[1])
	rules, problems := rulefmt.ParseFile("../observe/rules.yaml", false, model.LegacyValidation,
		parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			if rule.Alert == "RebuildFailing" {
				if rule.Expr != want {
					t.Errorf("the alert asks %s, want %s", rule.Expr, want)
				}
				return
			}
		}
	}
	t.Error("there is no alert RebuildFailing")
}
