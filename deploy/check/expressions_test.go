package check

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// ofPrometheus are the labels that Prometheus itself adds to every metric.
var ofPrometheus = []string{"job", "instance"}

// findings are what is wrong with expressions.
type findings []string

func (f *findings) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// checkExpression returns why Prometheus cannot read an expression, or which metrics, labels and
// values of labels it names that no service exports.
func checkExpression(t *testing.T, text string) (found findings) {
	t.Helper()
	expression, err := parser.NewParser(parser.Options{}).ParseExpr(text)
	if err != nil {
		return findings{err.Error()}
	}
	known := slices.Clone(ofPrometheus)
	parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
		if selector, is := node.(*parser.VectorSelector); is {
			known = append(known, found.checkSelector(t, selector)...)
		}
		return nil
	})
	parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
		if aggregate, is := node.(*parser.AggregateExpr); is {
			for _, label := range aggregate.Grouping {
				if !slices.Contains(known, label) {
					found.add("no metric has the label %s", label)
				}
			}
		}
		return nil
	})
	return found
}

// checkSelector adds what a selector names that no service exports, and returns the labels of its
// metric.
func (f *findings) checkSelector(t *testing.T, selector *parser.VectorSelector) (known []string) {
	t.Helper()
	if selector.Name == "up" { // Prometheus's own
		return nil
	}
	var exporters []string
	for _, service := range serviceNames {
		values, exports := exported(t, service)[selector.Name]
		if exports && selects(selector, "job", service) {
			exporters = append(exporters, service)
			known = slices.AppendSeq(known, maps.Keys(values))
		} else if named(selector, "job") && selects(selector, "job", service) {
			f.add("%s does not export %s", service, selector.Name)
		}
	}
	if len(exporters) == 0 {
		f.add("no service exports %s", selector.Name)
		return known
	}
	for _, matcher := range selector.LabelMatchers {
		switch {
		case matcher.Name == model.MetricNameLabel, slices.Contains(ofPrometheus, matcher.Name):
		case !slices.Contains(known, matcher.Name):
			f.add("%s has no label %s", selector.Name, matcher.Name)
		case matcher.Type == labels.MatchEqual && !hasValue(t, selector.Name, matcher):
			f.add("%s never has %s", selector.Name, matcher)
		}
	}
	return known
}

// named reports whether a selector asks for a label.
func named(selector *parser.VectorSelector, label string) bool {
	return slices.ContainsFunc(selector.LabelMatchers, func(m *labels.Matcher) bool { return m.Name == label })
}

// selects reports whether a selector takes metrics with this value of a label.
func selects(selector *parser.VectorSelector, label, value string) bool {
	return !slices.ContainsFunc(selector.LabelMatchers, func(m *labels.Matcher) bool {
		return m.Name == label && !m.Matches(value)
	})
}

// hasValue reports whether a service exports the metric with the value that the matcher asks for.
// Of the labels that services do not show from the start, only the names are checked.
func hasValue(t *testing.T, metric string, matcher *labels.Matcher) bool {
	t.Helper()
	if slices.Contains([]string{"route", "status", "method"}, matcher.Name) {
		return true
	}
	return slices.ContainsFunc(serviceNames, func(service string) bool {
		return exported(t, service)[metric][matcher.Name][matcher.Value]
	})
}

// TestExpressionsAreChecked: what the check is for is found.
func TestExpressionsAreChecked(t *testing.T) {
	for expression, found := range map[string]bool{
		`sum by (job, le) (rate(litfass_http_request_duration_seconds_bucket{job="query"}[5m]))`: false,
		`litfass_relay_leader{job="admin"} == 1`:                                                 false,
		`litfass_relay_leader{job="query"} == 1`:                                                 true,
		`litfass_relay_leaders == 1`:                                                             true,
		`litfass_http_request_duration_seconds > 1`:                                              true,
		`sum by (path) (litfass_http_requests_total)`:                                            true,
		`litfass_http_requests_total{code="200"}`:                                                true,
		`litfass_projector_changes_total{result="lost"} > 0`:                                     true,
		`sum(litfass_relay_leader`:                                                               true,
	} {
		if problems := checkExpression(t, expression); (len(problems) > 0) != found {
			t.Errorf("%s: %q, want findings: %v", expression, problems, found)
		}
	}
}
