package check

import (
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

// TestAlerts: Prometheus accepts the rules, every metric in them is exported, and each alert says
// its severity and links to its section of the runbook.
func TestAlerts(t *testing.T) {
	const strictly = false // unknown fields are not ignored
	rules, problems := rulefmt.ParseFile("../observe/rules.yaml", strictly, model.LegacyValidation,
		parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	for _, problem := range problems {
		t.Error(problem)
	}
	if rules == nil {
		t.FailNow()
	}
	var alerts []string
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			for _, problem := range checkExpression(t, rule.Expr) {
				t.Errorf("%s: %s", rule.Alert, problem)
			}
			if slices.Contains(alerts, rule.Alert) || rule.Alert == "" || rule.For == 0 {
				t.Errorf("alert %q lasts %s, and there are %q", rule.Alert, rule.For, alerts)
			}
			alerts = append(alerts, rule.Alert)
			if severity := rule.Labels["severity"]; severity != "critical" && severity != "warning" {
				t.Errorf("%s: severity %q", rule.Alert, severity)
			}
			if rule.Annotations["summary"] == "" {
				t.Errorf("%s has no summary", rule.Alert)
			}
			if got, want := rule.Annotations["runbook_url"], "deploy/docs/runbook.md#"+kebab(rule.Alert); got != want {
				t.Errorf("%s: runbook %q, want %q", rule.Alert, got, want)
			}
			checkRunbook(t, rule.Alert, rule.Annotations["runbook_url"])
		}
	}
	if len(alerts) == 0 {
		t.Error("there are no alerts")
	}
}

var capital = regexp.MustCompile(`[A-Z]`)

// kebab returns a name such as ReadsSlow as reads-slow.
func kebab(name string) string {
	return strings.TrimPrefix(capital.ReplaceAllStringFunc(name, func(c string) string { return "-" + strings.ToLower(c) }), "-")
}

// TestScraping: Prometheus scrapes every service under the name of the job that rules and dashboard
// choose by, at the port that the service listens on.
func TestScraping(t *testing.T) {
	var config struct {
		RuleFiles []string `yaml:"rule_files"`
		Scrape    []struct {
			Job     string `yaml:"job_name"`
			Targets []struct {
				Addresses []string `yaml:"targets"`
			} `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	content, err := os.ReadFile("../observe/prometheus.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(content, &config); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(config.RuleFiles, []string{"rules.yaml"}) {
		t.Errorf("rules are read from %q", config.RuleFiles)
	}
	ports := map[string]string{"admin": "8081", "projector": "8083", "query": "8082", "site": "8084", "console": "8085"}
	for _, job := range config.Scrape {
		if len(job.Targets) != 1 || !slices.Equal(job.Targets[0].Addresses, []string{job.Job + ":" + ports[job.Job]}) {
			t.Errorf("%s is scraped at %v", job.Job, job.Targets)
		}
		delete(ports, job.Job)
	}
	if len(ports) > 0 {
		t.Errorf("not scraped: %v", ports)
	}
}
