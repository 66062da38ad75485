package check

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// row is a line of one of the README's configuration tables.
type row struct {
	variables []string // named in the first cell
	text      string
}

var quoted = regexp.MustCompile("`([^`]+)`")

// rows returns the lines of the table whose header starts with the given cells.
func rows(t *testing.T, path, head string) []row {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(content), "\n"+head)
	if !found {
		t.Fatalf("%s has no table %q", path, head)
	}
	var table []row
	for _, line := range strings.Split(rest, "\n")[1:] {
		if !strings.HasPrefix(line, "|") {
			break
		}
		line = strings.TrimSpace(line)
		first, _, _ := strings.Cut(line[1:], "|")
		var names []string
		for _, match := range quoted.FindAllStringSubmatch(first, -1) {
			names = append(names, match[1])
		}
		table = append(table, row{names, line})
	}
	return table
}

func serviceTable(t *testing.T) []row {
	t.Helper()
	return rows(t, "../../README.md", "| variable | services | default | meaning |")
}

// explained returns the row of a variable; nil if there is none.
func explained(table []row, variable string) *row {
	i := slices.IndexFunc(table, func(r row) bool { return slices.Contains(r.variables, variable) })
	if i < 0 {
		return nil
	}
	return &table[i]
}

// TestReadmeNamesEveryVariable: the README explains every variable that a service reads, with the
// default of the code.
func TestReadmeNamesEveryVariable(t *testing.T) {
	table := serviceTable(t)
	for _, service := range serviceNames {
		for variable, otherwise := range variables(t, service) {
			found := explained(table, variable)
			switch {
			case found == nil:
				t.Errorf("README.md does not explain %s of %s", variable, service)
			case otherwise != "" && !strings.Contains(found.text, "`"+otherwise+"`"):
				t.Errorf("README.md does not say that %s is %s unless it is set", variable, otherwise)
			}
		}
	}
}

// TestReadmeNamesNothingElse: a service reads every variable that the README explains.
func TestReadmeNamesNothingElse(t *testing.T) {
	known := map[string]bool{}
	for _, service := range serviceNames {
		for variable := range variables(t, service) {
			known[variable] = true
		}
	}
	for _, row := range serviceTable(t) {
		for _, variable := range row.variables {
			if !known[variable] {
				t.Errorf("no service reads %s, which README.md explains", variable)
			}
		}
	}
}

// launcherVariable matches the variables that the launcher reads for itself. Those that it reads
// for a service are in the services' table.
var launcherVariable = regexp.MustCompile(`(?:env:|given\(|local\(ctx, |Getenv\()"([A-Z]+_?[A-Z_]+)"`)

// TestReadmeNamesTheLaunchersVariables: the README explains the launcher's variables.
func TestReadmeNamesTheLaunchersVariables(t *testing.T) {
	table := append(rows(t, "../../README.md", "| variable | default | meaning |"), serviceTable(t)...)
	found := 0
	eachSource(t, "../local", func(path string, content []byte) {
		for _, match := range launcherVariable.FindAllSubmatch(content, -1) {
			found++
			if name := string(match[1]); name != "MAKELEVEL" && explained(table, name) == nil {
				t.Errorf("README.md does not explain %s, which %s reads", name, path)
			}
		}
	})
	if found == 0 {
		t.Error("the launcher reads nothing: is the pattern right?")
	}
}

// TestOperatorsReadmeNamesTheSettings: deploy/README.md or secrets.sh names every variable that
// compose.yaml reads.
func TestOperatorsReadmeNamesTheSettings(t *testing.T) {
	compose, err := os.ReadFile("../compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, path := range []string{"../README.md", "../compose/secrets.sh"} {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text += string(content)
	}
	for _, match := range regexp.MustCompile(`\$\{([A-Z_]+)`).FindAllSubmatch(compose, -1) {
		if !strings.Contains(text, string(match[1])) {
			t.Errorf("deploy/README.md does not name %s, which compose.yaml reads", match[1])
		}
	}
}

var metric = regexp.MustCompile(`litfass_[a-z_]+[a-z]`)

// TestOperatorsReadmeNamesRealMetrics: every metric that deploy/README.md names exists.
func TestOperatorsReadmeNamesRealMetrics(t *testing.T) {
	content, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	for _, root := range []string{"../../services", "../../pkg"} {
		eachSource(t, root, func(_ string, content []byte) { source.Write(content) })
	}
	for _, name := range metric.FindAllString(string(content), -1) {
		own := strings.TrimPrefix(name, "litfass_projector_") // some names are composed
		if !strings.Contains(source.String(), `"`+name+`"`) && !strings.Contains(source.String(), `"`+own+`"`) {
			t.Errorf("no service publishes %s", name)
		}
	}
}
