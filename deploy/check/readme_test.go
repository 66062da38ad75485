package check

import (
	"os"
	"strings"
	"testing"
)

// TestReadmeNamesEveryVariable: what a service reads from its environment is
// explained in the README.
func TestReadmeNamesEveryVariable(t *testing.T) {
	content, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, service := range serviceNames {
		for variable := range knownVariables(t, service) {
			if !strings.Contains(string(content), "`"+variable+"`") {
				t.Errorf("README.md does not explain %s of %s", variable, service)
			}
		}
	}
}
