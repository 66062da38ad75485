package about

import (
	"testing"

	"litfass/services/site/internal/sitetest"
)

func TestAbout(t *testing.T) {
	app, _ := sitetest.New(t, nil, Mount)
	sitetest.Wants(t, sitetest.Page(t, app, "/about"), "About Litfass", "https://litfass.example/imprint", "webcal://litfass.example/api/events.ics")
}
