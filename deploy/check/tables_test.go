package check

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// writers are the packages that write each table, by the table's name.
type writers map[string][]string

// writes matches the SQL statements that write a table; the last group is its name. UPDATE needs
// its SET, so that FOR UPDATE and ON CONFLICT DO UPDATE are not taken for statements.
var writes = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\binsert\s+into\s+([^\s(;]+)`),
	regexp.MustCompile(`(?i)\bupdate\s+(?:only\s+)?([^\s(;]+)(?:\s+(?:as\s+)?\w+)?\s+set\b`),
	regexp.MustCompile(`(?i)\bdelete\s+from\s+(?:only\s+)?([^\s(;]+)`),
	regexp.MustCompile(`(?i)\bmerge\s+into\s+(?:only\s+)?([^\s(;]+)`),
	regexp.MustCompile(`(?i)\btruncate\s+(?:table\s+)?(?:only\s+)?([^\s(;]+)`),
	regexp.MustCompile(`(?i)\bcopy\s+([^\s(;]+)\s*(?:\([^)]*\)\s*)?from\b`),
}

// tableName is a name as this project writes it, with or without schema and quotes.
var tableName = regexp.MustCompile(`^(?:"?\w+"?\.)?"?(\w+)"?$`)

// writersIn reads the SQL of every Go file in the tree and returns which package, by its folder,
// writes which table. Tests, and packages for tests, whose names end in "test", do not count. The
// error names a statement whose table is not a constant: it could write any.
func writersIn(tree fs.FS) (writers, error) {
	found := writers{}
	err := eachGoFile(tree, func(folder string, file *ast.File) error {
		for _, statement := range statementsIn(file) {
			match := tableName.FindStringSubmatch(statement)
			if match == nil {
				return fmt.Errorf("%s writes a table whose name is not a constant: %q", folder, statement)
			}
			if table := match[1]; !slices.Contains(found[table], folder) {
				found[table] = append(found[table], folder)
			}
		}
		return nil
	})
	return found, err
}

// eachGoFile calls fn for each Go file of the tree that is part of the program, with its folder.
func eachGoFile(tree fs.FS, fn func(folder string, file *ast.File) error) error {
	return fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == "testdata" || strings.HasSuffix(entry.Name(), "test") {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		content, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, content, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		return fn(path.Dir(name), file)
	})
}

// statementsIn returns the tables that the file's SQL and its calls of CopyFrom write, each as it
// is written there.
func statementsIn(file *ast.File) (tables []string) {
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.BinaryExpr:
			if text, isText := textOf(node); isText {
				tables = append(tables, tablesIn(text)...)
				return false
			}
		case *ast.BasicLit:
			if text, isText := textOf(node); isText {
				tables = append(tables, tablesIn(text)...)
			}
		case *ast.CallExpr:
			if called, is := node.Fun.(*ast.SelectorExpr); is && called.Sel.Name == "CopyFrom" && len(node.Args) > 1 {
				tables = append(tables, copied(node.Args[1]))
			}
		}
		return true
	})
	return tables
}

func tablesIn(text string) (tables []string) {
	for _, write := range writes {
		for _, match := range write.FindAllStringSubmatch(text, -1) {
			tables = append(tables, match[1])
		}
	}
	return tables
}

// unknown stands in a text for what is not a literal, such as a variable.
const unknown = "{…}"

// textOf returns a string literal, or a sum of several; isText is false for other expressions.
func textOf(expression ast.Expr) (text string, isText bool) {
	switch expression := expression.(type) {
	case *ast.BasicLit:
		if expression.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(expression.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, leftIsText := textOf(expression.X)
		right, rightIsText := textOf(expression.Y)
		if expression.Op != token.ADD || !leftIsText && !rightIsText {
			return "", false
		}
		if !leftIsText {
			left = unknown
		}
		if !rightIsText {
			right = unknown
		}
		return left + right, true
	}
	return "", false
}

// copied returns the table of pgx's CopyFrom, whose name is the last part of a pgx.Identifier.
func copied(argument ast.Expr) string {
	literal, is := argument.(*ast.CompositeLit)
	if !is || len(literal.Elts) == 0 {
		return unknown
	}
	name, isText := textOf(literal.Elts[len(literal.Elts)-1])
	if !isText {
		return unknown
	}
	return name
}

// shared returns the tables that several packages write, in words.
func (w writers) shared() (complaints []string) {
	for _, table := range slices.Sorted(maps.Keys(w)) {
		if packages := slices.Sorted(slices.Values(w[table])); len(packages) > 1 {
			complaints = append(complaints, table+" is written by "+strings.Join(packages, " and "))
		}
	}
	return complaints
}

const adminPackages = "../../services/admin/internal"

// TestOnePackageWritesATable reads the SQL of admin, the only service with a database.
func TestOnePackageWritesATable(t *testing.T) {
	found, err := writersIn(os.DirFS("../../services/admin"))
	if err != nil {
		t.Fatal(err)
	}
	for _, complaint := range found.shared() {
		t.Errorf("%s: only one package writes a table, others call it", complaint)
	}
	if len(found) < 10 {
		t.Errorf("only %d tables are written: does the test still read the SQL?", len(found))
	}
}

// TestReadmeNamesAdminsPackages: the tables in the README of admin list every package with the
// tables that it writes.
func TestReadmeNamesAdminsPackages(t *testing.T) {
	found, err := writersIn(os.DirFS(adminPackages))
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string][]string{} // by room
	for table, folders := range found {
		for _, folder := range folders {
			tables[room(folder)] = append(tables[room(folder)], table)
		}
	}
	described := map[string]bool{}
	for _, row := range allRows(t, "../../services/admin/README.md", "| package | owns | writes |") {
		cells := strings.Split(row.text, "|")
		if len(row.variables) != 1 || len(cells) != 5 {
			t.Fatalf("the README of admin has a row of another form: %s", row.text)
		}
		name := row.variables[0]
		described[name] = true
		var claimed []string
		for _, match := range quoted.FindAllStringSubmatch(cells[3], -1) {
			claimed = append(claimed, match[1])
		}
		slices.Sort(claimed)
		slices.Sort(tables[name])
		if !slices.Equal(claimed, tables[name]) {
			t.Errorf("the README of admin says that %s writes %v, but it writes %v", name, claimed, tables[name])
		}
	}
	comparePackages(t, described)
}

// room returns the folder that the table describes: a wing's own package or a package of a wing,
// which also stands for the packages below it.
func room(folder string) string {
	parts := strings.Split(folder, "/")
	if len(parts) > 1 && strings.HasSuffix(parts[1], "test") {
		return parts[0]
	}
	return strings.Join(parts[:min(len(parts), 2)], "/")
}

// comparePackages compares the described packages with the folders of the tree.
func comparePackages(t *testing.T, described map[string]bool) {
	t.Helper()
	folders := map[string]bool{}
	err := eachGoFile(os.DirFS(adminPackages), func(folder string, _ *ast.File) error {
		folders[room(folder)] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder := range folders {
		if !described[folder] {
			t.Errorf("the README of admin does not describe the package %s", folder)
		}
	}
	for name := range described {
		if !folders[name] {
			t.Errorf("the README of admin describes a package %s, which does not exist", name)
		}
	}
}

func TestWritersIn(t *testing.T) {
	file := func(source string) *fstest.MapFile { return &fstest.MapFile{Data: []byte("package p\n" + source)} }
	found, err := writersIn(fstest.MapFS{
		"insert/a.go":          file("const a = `\nINSERT INTO one AS stored (x)\nVALUES (1)\nON CONFLICT (x) DO UPDATE\nSET x = 2`"),
		"update/a.go":          file("const a = `\nUPDATE two t\nSET x = 1\nFROM twelve\nWHERE true`\n\nconst b = \"update only public.one as o set x = 1\""),
		"with/a.go":            file("var a = `WITH gone AS (DELETE FROM three RETURNING x) INSERT INTO \"four\"(x) SELECT x FROM gone`"),
		"call/a.go":            file("func f() { exec(`TRUNCATE TABLE five`, `MERGE INTO six USING seven ON true`, `COPY eight (x) FROM STDIN`) }"),
		"sum/a.go":             file("const a = `DELETE FROM nine\n` + where + `AND x`"),
		"copy/deep/a.go":       file("func f() { tx.CopyFrom(ctx, pgx.Identifier{\"public\", \"ten\"}, columns, rows) }"),
		"read/a.go":            file("const a = `SELECT x FROM one FOR UPDATE OF one`\n// DELETE FROM one\nconst b = `LOCK TABLE one; COPY one TO STDOUT`"),
		"prose/a.go":           file("var a = fail(\"update profile: %w\" + x, \"delete the account from here\")"),
		"insert/a_test.go":     file("const t = `DELETE FROM two`"),
		"inserttest/a.go":      file("const t = `DELETE FROM two`"),
		"insert/testdata/a.go": file("const t = `DELETE FROM two`"),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := writers{
		"one": {"insert", "update"}, "two": {"update"}, "three": {"with"}, "four": {"with"}, "five": {"call"},
		"six": {"call"}, "eight": {"call"}, "nine": {"sum"}, "ten": {"copy/deep"},
	}
	if !maps.EqualFunc(found, want, slices.Equal[[]string]) {
		t.Errorf("found %v, want %v", found, want)
	}
	if got := found.shared(); !slices.Equal(got, []string{"one is written by insert and update"}) {
		t.Errorf("complaints %q", got)
	}
}

func TestWritersInRefusesUnknownTables(t *testing.T) {
	for name, source := range map[string]string{
		"a variable":         "var a = `DELETE FROM ` + table + ` WHERE x`",
		"a format":           "var a = fmt.Sprintf(`UPDATE %s SET x = 1`, table)",
		"a copied variable":  "func f() { tx.CopyFrom(ctx, table, columns, rows) }",
		"a copied parameter": "func f() { tx.CopyFrom(ctx, pgx.Identifier{table}, columns, rows) }",
	} {
		tree := fstest.MapFS{"p/a.go": {Data: []byte("package p\n" + source)}}
		if found, err := writersIn(tree); err == nil || !strings.Contains(err.Error(), "p writes a table") {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
}
