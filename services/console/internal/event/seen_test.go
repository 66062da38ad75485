package event

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page/pagetest"
)

// TestALinkIsSeenWithItsEvent: what is saved of an event that is not public yet is not said to be
// seen by visitors.
func TestALinkIsSeenWithItsEvent(t *testing.T) {
	later := pagetest.Now.Add(time.Hour)
	for status, date := range map[string]*time.Time{
		adminapi.StatusDraft: nil, adminapi.StatusReview: nil, adminapi.StatusReleased: &later, adminapi.StatusCancelled: nil,
	} {
		e := ready()
		e.ReleaseStatus, e.ReleaseDate = status, date
		e.EventLinks = []adminapi.Link{{UUID: link, LinkFields: adminapi.LinkFields{Type: "website", URL: "https://example.org"}}}
		c := start(t, e)
		c.Answer("PUT "+operation+"/link/"+link, http.StatusOK, adminapi.WrittenLink{})
		form := url.Values{"type": {"website"}, "url": {"https://example.org/more"}, "base": {base(t, c.Get(address).Body, "link-"+link)}, "public": {"1"}}
		got := c.Post(address+"/link/"+link, form, pagetest.Script...)
		if want := status == adminapi.StatusCancelled; !strings.Contains(got.Body, "data-saved") || strings.Contains(got.Body, "auto-seen") != want {
			t.Errorf("%s from %v on: %s", status, date, got.Body)
		}
	}
}
