package check

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	configuration = "../docs/configuration.md"
	operating     = "../docs/operating.md"
)

// row is a line of a table in a document.
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
		table = append(table, rowOf(line))
	}
	return table
}

// allRows returns the rows of all tables of a document that start with a header, without the lines
// below the headers.
func allRows(t *testing.T, path, head string) []row {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []row
	for _, table := range strings.Split(string(content), "\n"+head)[1:] {
		for _, line := range strings.Split(table, "\n")[2:] {
			if !strings.HasPrefix(line, "|") {
				break
			}
			all = append(all, rowOf(line))
		}
	}
	return all
}

// rowOf reads a line of a table.
func rowOf(line string) row {
	line = strings.TrimSpace(line)
	first, _, _ := strings.Cut(line[1:], "|")
	var names []string
	for _, match := range quoted.FindAllStringSubmatch(first, -1) {
		names = append(names, match[1])
	}
	return row{names, line}
}

func serviceTable(t *testing.T) []row {
	t.Helper()
	return rows(t, configuration, "| variable | services | default | meaning |")
}

// explained returns the row of a variable; nil if there is none.
func explained(table []row, variable string) *row {
	i := slices.IndexFunc(table, func(r row) bool { return slices.Contains(r.variables, variable) })
	if i < 0 {
		return nil
	}
	return &table[i]
}

// TestReadmeNamesEveryVariable: configuration.md explains every variable that a service reads, with
// the default of the code.
func TestReadmeNamesEveryVariable(t *testing.T) {
	table := serviceTable(t)
	for _, service := range serviceNames {
		for variable, otherwise := range variables(t, service) {
			found := explained(table, variable)
			switch {
			case found == nil:
				t.Errorf("configuration.md does not explain %s of %s", variable, service)
			case otherwise != "" && !strings.Contains(found.text, "`"+otherwise+"`"):
				t.Errorf("configuration.md lacks the default of %s, %s", variable, otherwise)
			}
		}
	}
}

// TestReadmeNamesNothingElse: a service reads every variable that configuration.md explains.
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
				t.Errorf("no service reads %s, which configuration.md explains", variable)
			}
		}
	}
}

// launcherVariable matches the variables that configure the launcher itself. The table of the
// services has the variables that it reads on behalf of a service.
var launcherVariable = regexp.MustCompile(`(?:env:|given\(|local\(ctx, |Getenv\()"([A-Z]+_?[A-Z_]+)"`)

// TestReadmeNamesTheLaunchersVariables: configuration.md explains the launcher's variables.
func TestReadmeNamesTheLaunchersVariables(t *testing.T) {
	table := append(rows(t, configuration, "| variable | default | meaning |"), serviceTable(t)...)
	found := 0
	eachSource(t, "../local", func(path string, content []byte) {
		for _, match := range launcherVariable.FindAllSubmatch(content, -1) {
			found++
			if name := string(match[1]); name != "MAKELEVEL" && explained(table, name) == nil {
				t.Errorf("configuration.md does not explain %s, which %s reads", name, path)
			}
		}
	})
	if found == 0 {
		t.Error("the launcher reads nothing: is the pattern right?")
	}
}

// TestOperatorsReadmeNamesTheSettings: the section on Compose in configuration.md, or secrets.sh,
// names every variable that compose.yaml reads.
func TestOperatorsReadmeNamesTheSettings(t *testing.T) {
	compose, err := os.ReadFile("../compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	settings, err := os.ReadFile(configuration)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := os.ReadFile("../compose/secrets.sh")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(settings), "\n## Compose\n")
	section, _, _ = strings.Cut(section, "\n## ")
	text := section + string(printed)
	for _, match := range regexp.MustCompile(`\$\{([A-Z_]+)`).FindAllSubmatch(compose, -1) {
		if !strings.Contains(text, string(match[1])) {
			t.Errorf("configuration.md does not name %s, which compose.yaml reads", match[1])
		}
	}
}

var metric = regexp.MustCompile(`litfass_[a-z_]+[a-z]`)

// TestOperatorsReadmeNamesRealMetrics: every metric that the documents for operators name exists.
func TestOperatorsReadmeNamesRealMetrics(t *testing.T) {
	var content []byte
	for _, document := range []string{operating, "../docs/runbook.md", "../docs/scaling.md", configuration} {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		content = append(content, text...)
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

// longestReadme is the length of the README at the top in lines: a front door, not a manual.
const longestReadme = 120

var makeTarget = regexp.MustCompile("(?m)(?:^    |`)(?:[A-Z_]+=\\S+ )?make ([a-z-]+)")

// TestReadmeIsShort: the top-level README has only what every reader needs.
func TestReadmeIsShort(t *testing.T) {
	content, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(content), "\n"); lines > longestReadme {
		t.Errorf("README.md has %d lines, more than %d: describe it where it belongs", lines, longestReadme)
	}
}

// TestDocumentsNameMakesTargets: every `make x` of a document is a target of the Makefile.
func TestDocumentsNameMakesTargets(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range tree(t) {
		if filepath.Ext(file) != ".md" {
			continue
		}
		content, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range makeTarget.FindAllStringSubmatch(string(content), -1) {
			found++
			if !strings.Contains(string(makefile), "\n"+match[1]+":") {
				t.Errorf("%s names make %s, which does not exist", file, match[1])
			}
		}
	}
	if found < 10 {
		t.Errorf("found %d targets: is the pattern right?", found)
	}
}

// listedPackage matches the first cell of a row about a package, which may be a link.
var listedPackage = regexp.MustCompile("^\\| [`\\[]([a-z/]+)[`\\]]")

// TestPkgReadmeNamesEveryPackage: the README of pkg lists the packages of its groups, and no
// others.
func TestPkgReadmeNamesEveryPackage(t *testing.T) {
	content, err := os.ReadFile("../../pkg/README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed, group := map[string]bool{}, ""
	for line := range strings.Lines(string(content)) {
		if title, found := strings.CutPrefix(line, "## "); found {
			group = strings.TrimSpace(title)
		}
		if name := listedPackage.FindStringSubmatch(line); name != nil {
			folder := strings.Replace(group+"/"+name[1], "ui/ui", "ui", 1)
			listed[folder] = true
			if _, err := os.Stat(filepath.Join("../../pkg", folder)); err != nil {
				t.Errorf("pkg/README.md describes a package %s, which does not exist", folder)
			}
		}
	}
	err = eachGoFile(os.DirFS("../../pkg"), func(folder string, _ *ast.File) error {
		if folder := room(folder); !listed[folder] {
			t.Errorf("pkg/README.md does not describe the package %s", folder)
			listed[folder] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
