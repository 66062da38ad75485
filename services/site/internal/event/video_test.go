package event

import (
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"litfass/pkg/contracts/value"
	"litfass/pkg/contracts/video"
	"litfass/services/site/internal/sitetest"
)

// watched returns the part of an event's page with its video, and the header of the answer.
func watched(t *testing.T, link value.Text) (part, page string, header http.Header) {
	t.Helper()
	api := sitetest.FullAPI("Jazz")
	api.Event.VideoLink = link
	deps := sitetest.Deps(t, api, sitetest.Sunday)
	deps.Brand.Videos = video.Hosts{"youtube.com", "tube.example"}
	status, header, page := sitetest.Ask(t, sitetest.App(deps, slog.DiscardHandler, Mount), http.MethodGet, "/event/"+sitetest.EventUUID+"?lang=en", "")
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, page)
	}
	_, part, _ = strings.Cut(page, `<section class="video`)
	part, _, _ = strings.Cut(part, "</section>")
	return part, page, header
}

// loads are the attributes by which a page makes a browser ask another host.
var loads = regexp.MustCompile(`(?i)<(iframe|object|embed|video|source)|(src|srcset|poster|background|ping|style)="[^"]*(youtu|ytimg|tube\.example)` +
	`|<link[^>]+(youtu|ytimg|tube\.example)`)

// TestVideosAreLoadedOnlyOnRequest: the page has a link, and nothing that asks the host of the
// video; a script takes the address of the player from the link.
func TestVideosAreLoadedOnlyOnRequest(t *testing.T) {
	for link, player := range map[value.Text]string{
		"https://www.youtube.com/watch?v=dQw4w9WgXcQ":   "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
		"https://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv": "https://tube.example/videos/embed/kkGMgK9ZtnKfYAgnEtQxbv",
	} {
		part, page, header := watched(t, link)
		if !strings.Contains(part, `href="`+string(link)+`"`) || !strings.Contains(part, `data-player="`+player+`"`) {
			t.Errorf("%s is shown as %s", link, part)
		}
		if found := loads.FindString(page); found != "" {
			t.Errorf("%s: the page loads something by %s", link, found)
		}
		want := "frame-src https://www.youtube-nocookie.com https://tube.example"
		if policy := header.Get("Content-Security-Policy"); !strings.HasSuffix(policy, "; "+want) || strings.Count(policy, "youtube") != 1 {
			t.Errorf("the policy is %s", policy)
		}
	}
}

// TestVideosOfOtherHosts are links without a player, and what is no link is not shown.
func TestVideosOfOtherHosts(t *testing.T) {
	for link, shown := range map[value.Text]bool{
		"https://vimeo.com/76979871": true, "https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ": true, "https://youtube.com/@channel": true,
		"https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ": false, "javascript:alert(1)": false, "": false,
		`https://tube.example/w/"onload="alert(1)`: true,
	} {
		part, _, _ := watched(t, link)
		if strings.Contains(part, "data-player") || strings.Contains(part, "<a") != shown || strings.Contains(part, `"onload="`) {
			t.Errorf("%s is shown as %s", link, part)
		}
	}
}
