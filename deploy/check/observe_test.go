package check

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// TestObserveCompose: the services start together with their monitoring, which uses the files of
// deploy/observe and pinned versions, and exposes nothing to other machines.
func TestObserveCompose(t *testing.T) {
	project, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  "..",
		ConfigFiles: []types.ConfigFile{{Filename: "../compose.yaml"}, {Filename: "../observe/compose.yaml"}},
		Environment: maps.Clone(secrets),
	}, func(o *loader.Options) { o.SetProjectName("litfass", true) })
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range serviceNames {
		environment := project.Services[name].Environment
		checkVariables(t, name, slices.Collect(maps.Keys(environment)))
		if endpoint := environment["OTEL_EXPORTER_OTLP_ENDPOINT"]; endpoint == nil || *endpoint != "http://jaeger:4318" {
			t.Errorf("%s exports its traces to %v", name, endpoint)
		}
	}
	var mounted []string
	for _, name := range []string{"grafana", "jaeger", "prometheus"} {
		service := project.Services[name]
		if _, version, _ := strings.Cut(service.Image, ":"); strings.Count(version, ".") != 2 {
			t.Errorf("%s is %q", name, service.Image)
		}
		for _, port := range service.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s listens at %s:%s", name, port.HostIP, port.Published)
			}
		}
		for _, config := range service.Configs {
			file := project.Configs[config.Source].File
			if _, err := os.Stat(file); err != nil {
				t.Error(err)
			}
			mounted = append(mounted, filepath.Base(file))
		}
	}
	slices.Sort(mounted)
	want := []string{"dashboards.yaml", "datasources.yaml", "litfass.json", "prometheus.yaml", "rules.yaml"}
	if !slices.Equal(mounted, want) {
		t.Errorf("%q are mounted, want %q", mounted, want)
	}
}
