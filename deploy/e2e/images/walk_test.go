package images

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// startDemo runs a stack as make up does on the first day: with the demo catalogue and its people.
// More of them log in here than one address may in five minutes.
func startDemo(t *testing.T) *harness.System {
	t.Helper()
	s := harness.Run(t, stack.Options{Demo: true, Env: []string{"LOGIN_ATTEMPTS=100"}})
	return &harness.System{Stack: s, Client: client.New(s.URL(), 1)}
}

func TestWithTheDemo(t *testing.T) {
	s := startDemo(t)
	t.Run("the commands in admin's README work as pasted", func(t *testing.T) { walk(s, t) })
	t.Run("each person that the launcher names can log in", func(t *testing.T) { people(s, t) })
	t.Run("images", func(t *testing.T) { testImages(s, t) })
	t.Run("reports", func(t *testing.T) { testReports(s, t) })
}

// walk runs the commands of a section of admin's README in one shell.
func walk(s *harness.System, t *testing.T) {
	data := filepath.Dir(s.LogFolder())
	script := strings.NewReplacer("http://127.0.0.1:8080", s.URL(), ".local/", data+"/").Replace(commands(t, "From signup to a second team member"))
	shell := exec.CommandContext(t.Context(), "sh", "-eu", "-c", script)
	output, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	var team struct {
		Members []struct{ Email, Role string }
	}
	shown := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, `{"members":`) })
	if shown < 0 {
		t.Fatalf("no team in\n%s", output)
	}
	if err := json.Unmarshal([]byte(lines[shown]), &team); err != nil {
		t.Fatalf("%v in\n%s", err, output)
	}
	roles := map[string]string{}
	for _, member := range team.Members {
		roles[member.Email] = member.Role
	}
	if len(roles) != 2 || roles["anna@example.org"] != "owner" || roles["bert@example.org"] != "editor" {
		t.Errorf("the team is %v, after\n%s", roles, output)
	}
	for _, line := range lines {
		if strings.Contains(line, `"request_id"`) {
			t.Errorf("refused: %s", line)
		}
	}
}

// commands returns the indented lines of a section of admin's README.
func commands(t *testing.T, title string) string {
	t.Helper()
	root, err := stack.FindRoot()
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "services", "admin", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(readme), "\n## "+title+"\n")
	if !found {
		t.Fatalf("admin's README has no section %q", title)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var script strings.Builder
	for line := range strings.Lines(section) {
		if command, indented := strings.CutPrefix(line, "    "); indented {
			script.WriteString(command)
		}
	}
	return script.String()
}

func people(s *harness.System, t *testing.T) {
	password := regexp.MustCompile(`\n  password of all +(\S+)\n`).FindStringSubmatch(s.Welcome())
	people := regexp.MustCompile(`\n  (\S+@\S+) +(owner|manager|editor|contributor|viewer|platform|belongs)`).FindAllStringSubmatch(s.Welcome(), -1)
	if password == nil || len(people) != 7 {
		t.Fatalf("the launcher says\n%s", s.Welcome())
	}
	for _, person := range people {
		body := fmt.Sprintf(`{"email": %q, "password": %q}`, person[1], password[1])
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/api/login", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s (%s): %s", person[1], person[2], response.Status)
		}
	}
}
