package check

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// series are the names under which Prometheus stores the metrics of a service, with the labels of
// each and their values.
type series map[string]map[string]map[string]bool

// add takes in what a service has exported.
func (s series) add(family *dto.MetricFamily) {
	names := []string{family.GetName()}
	if family.GetType() == dto.MetricType_HISTOGRAM {
		names = []string{family.GetName() + "_bucket", family.GetName() + "_sum", family.GetName() + "_count"}
	}
	for i, name := range names {
		if s[name] == nil {
			s[name] = map[string]map[string]bool{}
		}
		if len(names) > 1 && i == 0 {
			s.label(name, "le", "")
		}
		for _, metric := range family.GetMetric() {
			for _, label := range metric.GetLabel() {
				s.label(name, label.GetName(), label.GetValue())
			}
		}
	}
}

func (s series) label(name, label, value string) {
	if s[name][label] == nil {
		s[name][label] = map[string]bool{}
	}
	s[name][label][value] = true
}

// scraped are the metrics of the services that were run so far.
var scraped = map[string]series{}

// exported returns the metrics of a service, which it runs without engines.
func exported(t *testing.T, service string) series {
	t.Helper()
	if scraped[service] == nil {
		scraped[service] = scrape(t, service)
	}
	return scraped[service]
}

var listening = regexp.MustCompile(`msg=listening .*address=(\S+)`)

// scrape runs a service and reads its metrics.
func scrape(t *testing.T, service string) series {
	t.Helper()
	program := buildProgram(t, service)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel() // kills it
	serve := exec.CommandContext(ctx, program, "serve")
	serve.Env = slices.Concat(engineless, []string{"MAIL_DIR=" + t.TempDir()})
	log, err := serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cancel(); _ = serve.Wait() }() // killed
	base := "http://" + address(t, log)
	go func() { _, _ = io.Copy(io.Discard, log) }() // until it is killed
	get(ctx, t, base+"/readyz", http.StatusServiceUnavailable)
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(get(ctx, t, base+"/metrics", http.StatusOK))
	if err != nil {
		t.Fatal(err)
	}
	found := series{}
	for _, family := range families {
		found.add(family)
	}
	return found
}

// address waits until the service listens.
func address(t *testing.T, log io.Reader) string {
	t.Helper()
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if match := listening.FindStringSubmatch(lines.Text()); match != nil {
			return match[1]
		}
	}
	t.Fatalf("the service does not listen: %v", lines.Err())
	return ""
}

func get(ctx context.Context, t *testing.T, url string, status int) io.Reader {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	if answer.StatusCode != status {
		t.Fatalf("GET %s: %s", url, answer.Status)
	}
	return answer.Body
}
