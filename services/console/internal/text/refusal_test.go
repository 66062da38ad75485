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
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
)

// ofCommands are the codes of failures that only commands on the server show.
var ofCommands = map[string]bool{"tier_unknown": true}

// TestEveryFailureIsTranslated: each code that a service gives a failure has a message, so that no
// page shows its English sentence. Of the codes that begin with a variable, those that end with a
// suffix of kinds are found.
func TestEveryFailureIsTranslated(t *testing.T) {
	found := 0
	lacks := func(code, at string) {
		for _, lang := range language.Codes {
			if Refusal(Of(lang), code, "") == "" {
				t.Errorf("refusal.%s.json lacks %s, of %s", lang, code, at)
			}
		}
	}
	for _, kind := range []fault.Kind{
		fault.Invalid, fault.Unauthenticated, fault.Forbidden, fault.NotFound, fault.Conflict, fault.Stale, fault.TooLarge,
		fault.UnsupportedType, fault.TooMany, fault.Unavailable, fault.Internal,
	} {
		lacks(string(kind), "package fault")
	}
	for _, tree := range []string{"../../../admin/internal", "../../../../pkg/chassis/web"} {
		for code, at := range failuresIn(t, tree) {
			found++
			if !ofCommands[code] {
				lacks(code, at)
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

// kinds are the beginnings of the codes that end with a suffix.
var kinds = map[string][]string{`"_in_use"`: {"organization", "venue", "space"}}

func literals(expressions []ast.Expr) []string {
	var texts []string
	for _, e := range expressions {
		switch e := e.(type) {
		case *ast.BasicLit:
			if e.Kind == token.STRING {
				texts = append(texts, e.Value)
			}
		case *ast.BinaryExpr:
			if suffix, ok := e.Y.(*ast.BasicLit); ok {
				for _, kind := range kinds[suffix.Value] {
					texts = append(texts, strconv.Quote(kind+strings.Trim(suffix.Value, `"`)))
				}
			}
		}
	}
	return texts
}

// TestEveryWarningIsTranslated: pages show each warning of an edit in their language, that about a
// similar venue as a list of venues.
func TestEveryWarningIsTranslated(t *testing.T) {
	for _, code := range []string{
		adminapi.WarnDatePast, adminapi.WarnSpaceTaken, adminapi.WarnVenueTaken, adminapi.WarnVenueNotApproved,
	} {
		for _, lang := range language.Codes {
			if id := "organization.warning." + code; !Of(lang).Has(id) {
				t.Errorf("%s lacks %s", lang, id)
			}
			if id := "dates.warning." + code; !strings.Contains(Of(lang).With(id, "Date", "24"), "24") {
				t.Errorf("%s lacks %s", lang, id)
			}
		}
	}
}
