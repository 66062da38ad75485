package text

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
)

// ofCommands are the codes of failures that only commands on the server show.
var ofCommands = map[string]bool{"tier_unknown": true}

// TestEveryFailureIsTranslated: each code that a service gives a failure has a message, so that no
// page shows its English sentence. A code in a variable is not found.
func TestEveryFailureIsTranslated(t *testing.T) {
	german, found := Of("de"), 0
	for _, kind := range []fault.Kind{
		fault.Invalid, fault.Unauthenticated, fault.Forbidden, fault.NotFound, fault.Conflict, fault.Stale, fault.TooLarge,
		fault.UnsupportedType, fault.TooMany, fault.Unavailable, fault.Internal,
	} {
		if Refusal(german, string(kind), "") == "" {
			t.Errorf("refusal.*.json lack the kind %s", kind)
		}
	}
	for _, tree := range []string{"../../../admin/internal", "../../../../pkg/chassis/web"} {
		for code, at := range failuresIn(t, tree) {
			found++
			if words := Refusal(german, code, ""); words == "" && !ofCommands[code] {
				t.Errorf("refusal.*.json lack %s, of %s", code, at)
			}
		}
	}
	const least = 60
	if found < least {
		t.Errorf("only %d codes were found", found)
	}
}

// failuresIn returns the codes of the failures in a tree with the files that make them: the
// arguments of fault.New, fault.Wrap and Violations.Err, and the constants that are named code….
func failuresIn(t *testing.T, tree string) map[string]string {
	t.Helper()
	codes := map[string]string{}
	err := filepath.WalkDir(tree, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			for _, literal := range codesOf(node) {
				if code, err := strconv.Unquote(literal); err == nil && code != "" {
					codes[code] = path
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return codes
}

// codesOf returns the codes that a node gives to failures, as literals.
func codesOf(node ast.Node) []string {
	switch node := node.(type) {
	case *ast.CallExpr:
		return codesOfCall(node)
	case *ast.ValueSpec:
		if strings.HasPrefix(strings.ToLower(node.Names[0].Name), "code") {
			return literals(node.Values)
		}
	}
	return nil
}

func codesOfCall(call *ast.CallExpr) []string {
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) < 2 {
		return nil
	}
	switch of, _ := function.X.(*ast.Ident); {
	case of != nil && of.Name == "fault" && function.Sel.Name == "New":
		return literals(call.Args[1:2])
	case of != nil && of.Name == "fault" && function.Sel.Name == "Wrap" && len(call.Args) > 2:
		return literals(call.Args[2:3])
	case function.Sel.Name == "Err":
		return literals(call.Args[:1])
	}
	return nil
}

func literals(expressions []ast.Expr) []string {
	var texts []string
	for _, e := range expressions {
		if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			texts = append(texts, literal.Value)
		}
	}
	return texts
}
