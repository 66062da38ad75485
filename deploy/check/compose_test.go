package check

import (
	"maps"
	"slices"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// composeProject reads compose.yaml as docker compose does.
func composeProject(t *testing.T, environment types.Mapping) (*types.Project, error) {
	t.Helper()
	details := types.ConfigDetails{
		WorkingDir:  "..",
		ConfigFiles: []types.ConfigFile{{Filename: "../compose.yaml"}},
		Environment: maps.Clone(environment), // the loader modifies it
	}
	return loader.LoadWithContext(t.Context(), details, func(o *loader.Options) { o.SetProjectName("litfass", true) })
}

var secrets = types.Mapping{
	"POSTGRES_PASSWORD": "p", "SIGNING_KEY_SECRETS": "s", "MEILI_MASTER_KEY": "m", "MEILI_READ_KEY": "r", "SITE_API_KEY": "k",
	"CONSOLE_SECRETS": "c",
}

// passwords are secrets without which it starts, as an environment file of an earlier release has
// none.
var passwords = types.Mapping{
	"NATS_ADMIN_PASSWORD": "na", "NATS_PROJECTOR_PASSWORD": "np", "NATS_QUERY_PASSWORD": "nq", "NATS_OPERATOR_PASSWORD": "no",
}

func TestCompose(t *testing.T) {
	project, err := composeProject(t, secrets)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"admin", "console", "gateway", "meilisearch", "migrate", "nats", "postgres", "projector", "query", "site"}
	if got := project.ServiceNames(); !slices.Equal(got, want) {
		t.Errorf("services %q, want %q", got, want)
	}
	for name, service := range project.Services {
		if service.Build == nil {
			continue
		}
		if !slices.Contains(serviceNames, service.Build.Target) {
			t.Errorf("%s is built from an unknown target %q", name, service.Build.Target)
		}
		checkVariables(t, service.Build.Target, slices.Collect(maps.Keys(service.Environment)))
	}
	if got := project.Services["query"].Environment["MEILI_KEY"]; got == nil || *got != "r" {
		t.Error("query does not get the read key")
	}
}

func TestComposeNeedsSecrets(t *testing.T) {
	for name := range secrets {
		without := types.Mapping{}
		for other, value := range secrets {
			if other != name {
				without[other] = value
			}
		}
		if _, err := composeProject(t, without); err == nil {
			t.Errorf("it starts without %s", name)
		}
	}
}
