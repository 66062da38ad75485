package check

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	networkingv1 "k8s.io/api/networking/v1"

	"litfass/deploy/local/gateway"
)

// TestEveryOperationIsRouted: the gateway sends each described operation to the service that
// describes it.
func TestEveryOperationIsRouted(t *testing.T) {
	for service, admin := range map[string]bool{"admin": true, "query": false} {
		paths := slices.Collect(maps.Keys(describe(t, service).Paths))
		for _, path := range paths {
			if gateway.IsAdmin(path) != admin {
				t.Errorf("%s describes %s, which the gateway sends elsewhere", service, path)
			}
		}
		if admin {
			checkPrefixesAreUsed(t, paths)
		}
	}
}

// checkPrefixesAreUsed refuses a prefix of the list below which admin has no operation.
func checkPrefixesAreUsed(t *testing.T, paths []string) {
	t.Helper()
	for _, prefix := range gateway.AdminPaths {
		used := slices.ContainsFunc(paths, func(path string) bool { return path == prefix || strings.HasPrefix(path, prefix+"/") })
		if !used {
			t.Errorf("admin has no operation at or below %s", prefix)
		}
	}
}

// TestCaddyfileRoutesAsTheGateway compares the matchers of the services' paths, and that admin's
// are asked first.
func TestCaddyfileRoutesAsTheGateway(t *testing.T) {
	content, err := os.ReadFile("../compose/Caddyfile")
	if err != nil {
		t.Fatal(err)
	}
	for service, paths := range map[string][]string{
		"admin": gateway.AdminPaths, "query": gateway.QueryPaths, "console": gateway.ConsolePaths,
	} {
		var want []string
		for _, path := range paths {
			want = append(want, path, path+"/*")
		}
		_, rest, found := strings.Cut(string(content), "@"+service+" path ")
		line, _, _ := strings.Cut(rest, "\n")
		if got := strings.Fields(line); !found || !slices.Equal(got, want) {
			t.Errorf("the Caddyfile sends to %s %q, want %q", service, got, want)
		}
	}
	admin, query := strings.Index(string(content), "reverse_proxy @admin "), strings.Index(string(content), "reverse_proxy @query ")
	if admin < 0 || query < admin {
		t.Error("the Caddyfile does not ask for admin's paths first")
	}
}

// TestComposeUsesTheCaddyfile: the gateway's container reads the file that is checked above.
func TestComposeUsesTheCaddyfile(t *testing.T) {
	project, err := composeProject(t, secrets)
	if err != nil {
		t.Fatal(err)
	}
	config := project.Configs["gateway"]
	if !strings.HasSuffix(config.File, "/compose/Caddyfile") {
		t.Errorf("the gateway reads %q", config.File)
	}
	mounted := project.Services["gateway"].Configs
	if len(mounted) != 1 || mounted[0].Source != "gateway" || mounted[0].Target != "/etc/caddy/Caddyfile" {
		t.Errorf("the gateway mounts %+v", mounted)
	}
}

// TestIngressRoutesAsTheGateway compares the paths of the ingress, by the service they lead to.
// Writes are not repeated on another instance when a connection breaks.
func TestIngressRoutesAsTheGateway(t *testing.T) {
	got := map[string][]string{}
	for _, object := range load(t).objects {
		ingress, ok := object.(*networkingv1.Ingress)
		if !ok {
			continue
		}
		for _, rule := range ingress.Spec.Rules {
			for _, path := range rule.HTTP.Paths {
				if path.PathType == nil || *path.PathType != networkingv1.PathTypePrefix {
					t.Errorf("%s is no prefix", path.Path)
				}
				name := path.Backend.Service.Name
				got[name] = append(got[name], path.Path)
				repeats := ingress.Annotations["nginx.ingress.kubernetes.io/proxy-next-upstream"] != "off"
				if repeats == (name == "admin" || name == "console") {
					t.Errorf("requests for %s are repeated on another instance: %v", path.Path, repeats)
				}
			}
		}
	}
	if !slices.Equal(got["admin"], gateway.AdminPaths) {
		t.Errorf("the ingress sends to admin %q, want %q", got["admin"], gateway.AdminPaths)
	}
	if !slices.Equal(got["query"], gateway.QueryPaths) {
		t.Errorf("the ingress sends to query %q, want %q", got["query"], gateway.QueryPaths)
	}
	if !slices.Equal(got["console"], gateway.ConsolePaths) {
		t.Errorf("the ingress sends to the console %q, want %q", got["console"], gateway.ConsolePaths)
	}
	if !slices.Equal(got["site"], []string{"/"}) {
		t.Errorf("the ingress sends to the site %q, want /", got["site"])
	}
}
