package permission

import "testing"

func TestEveryPermissionIsDescribed(t *testing.T) {
	for _, info := range Infos {
		for language := range info.Labels {
			if info.Description(language) == "" {
				t.Errorf("%s is not described in %s", info.Name, language)
			}
		}
	}
	if len(descriptions) != len(Infos) {
		t.Errorf("%d descriptions of %d permissions", len(descriptions), len(Infos))
	}
}
