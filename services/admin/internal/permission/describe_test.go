package permission

import (
	"testing"

	"litfass/pkg/language"
)

func TestEveryPermissionIsDescribed(t *testing.T) {
	for _, info := range Infos {
		for _, code := range language.Codes {
			if info.Description(code) == "" {
				t.Errorf("%s is not described in %s", info.Name, code)
			}
		}
	}
	if len(descriptions) != len(Infos) {
		t.Errorf("%d descriptions of %d permissions", len(descriptions), len(Infos))
	}
}
