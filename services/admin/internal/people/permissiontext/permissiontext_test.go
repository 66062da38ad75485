package permissiontext

import (
	"testing"

	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/permission"
)

func TestEveryPermissionIsListedOnce(t *testing.T) {
	var listed permission.Set
	for _, info := range Infos {
		if listed&info.Set != 0 || info.Set != 1<<info.Bit {
			t.Errorf("bit %d is listed twice or wrongly", info.Bit)
		}
		listed |= info.Set
	}
	if listed != permission.Every || len(Infos) != permission.Every.Bits() {
		t.Fatalf("the list holds %d, not all of %d", listed, permission.Every)
	}
}

func TestEveryPermissionIsDescribed(t *testing.T) {
	for _, info := range Infos {
		for _, code := range language.Codes {
			if info.Labels[code] == "" || info.Description(code) == "" {
				t.Errorf("%s has no label or no description in %s", info.Name, code)
			}
		}
	}
	if len(descriptions) != len(Infos) {
		t.Errorf("%d descriptions of %d permissions", len(descriptions), len(Infos))
	}
}

func TestEveryRoleHasALabel(t *testing.T) {
	for _, preset := range permission.Presets {
		for _, code := range language.Codes {
			if RoleLabels[preset.Role][code] == "" {
				t.Errorf("%s has no label in %s", preset.Role, code)
			}
		}
	}
	if len(RoleLabels) != len(permission.Presets) {
		t.Errorf("%d labels of %d roles", len(RoleLabels), len(permission.Presets))
	}
}
