package mappage

import (
	"strings"
	"testing"

	"litfass/services/site/internal/sitetest"
)

// TestAPartOfATownIsNamed, on the page and after the map was moved, and only where it is a part.
func TestAPartOfATownIsNamed(t *testing.T) {
	get := sitetest.Site(t, sitetest.Autumn, atlasOf(hall), Mount)
	for box, want := range map[string]string{"10.131,54.343,10.149,54.353": ">Kiel</text>", "10,54.2,10.4,54.5": ""} {
		for _, path := range []string{"/map", "/map/part"} {
			_, html := get(path + "?bbox=" + box)
			_, name, found := strings.Cut(html, `<text class="map-town map-edge"`)
			if found != (want != "") || !strings.Contains(name, want) {
				t.Errorf("%s?bbox=%s names %.200s, want %q", path, box, name, want)
			}
		}
	}
}
