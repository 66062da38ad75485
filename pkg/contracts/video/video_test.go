package video

import (
	"slices"
	"testing"
)

var hosts = Hosts{"youtube.com", "youtu.be", "vimeo.com", "tube.example"}

func TestPlayers(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.youtube.com/watch?v=dQw4w9WgXcQ":                               "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
		"https://m.youtube.com/watch?t=9&v=dQw4w9WgXcQ&list=x":                      "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
		"https://youtube.com/shorts/dQw4w9WgXcQ/":                                   "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
		"https://youtu.be/dQw4w9WgXcQ?si=x":                                         "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
		"https://YOUTU.BE/dQw4w9WgXcQ":                                              "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
		"https://vimeo.com/76979871":                                                "https://player.vimeo.com/video/76979871?dnt=1",
		"https://vimeo.com/76979871/8272103f6e":                                     "https://player.vimeo.com/video/76979871?dnt=1&h=8272103f6e",
		"https://vimeo.com/channels/staffpicks/76979871":                            "https://player.vimeo.com/video/76979871?dnt=1",
		"https://tube.example/w/9c9de5e8-0a1e-484a-b099-e80766180a6d":               "https://tube.example/videos/embed/9c9de5e8-0a1e-484a-b099-e80766180a6d",
		"https://www.tube.example/videos/watch/kkGMgK9ZtnKfYAgnEtQxbv?autoplay=1#x": "https://tube.example/videos/embed/kkGMgK9ZtnKfYAgnEtQxbv",
	} {
		if got := hosts.Player(address); got != want || !hosts.Allow(address) {
			t.Errorf("%s is played at %q, want %q", address, got, want)
		}
	}
}

// TestPagesWithoutPlayer are allowed as links, and none of them reaches the address of a player.
func TestPagesWithoutPlayer(t *testing.T) {
	for _, address := range []string{
		"https://youtube.com/@channel", "https://youtube.com/watch?v=../../evil", "https://youtube.com/watch?v=dQw4w9WgXcQ%22onload%3D",
		"https://youtube.com/embed/dQw4w9WgXcQ/../../x", "https://youtu.be/", "https://vimeo.com/76979871/..%2Fx", "https://vimeo.com/76979871%3Fa=b",
		"https://vimeo.com/", "https://tube.example/w/..%2f..%2flogin", "https://tube.example/w/a%3fb%26c%3dd%23e", "https://tube.example/login",
		"https://youtube.com/playlist?list=dQw4w9WgXcQ",
	} {
		if got := hosts.Player(address); got != "" || !hosts.Allow(address) {
			t.Errorf("%s is played at %q", address, got)
		}
	}
}

// TestMisleadingAddresses: an address is of a host only if browsers go there by https.
func TestMisleadingAddresses(t *testing.T) {
	for _, address := range []string{
		"", "javascript:alert(1)//youtube.com", "http://youtube.com/watch?v=dQw4w9WgXcQ", "//youtube.com/watch?v=dQw4w9WgXcQ", "youtube.com/watch",
		"https:youtube.com/watch?v=dQw4w9WgXcQ", "https:///youtube.com/watch", "data:text/html,https://youtube.com/", "ftp://youtube.com/x",
		"https://youtube.com@evil.example/", "https://a:b@youtube.com/watch?v=dQw4w9WgXcQ", "https://@youtube.com/", "https://youtube.com:444/watch",
		"https://youtube.com:/watch", "https://youtube.com./watch?v=dQw4w9WgXcQ", "https://evilyoutube.com/watch", "https://youtube.com.evil.example/",
		"https://evil.example/youtube.com", "https://evil.example?youtube.com", "https://evil.example#@youtube.com", `https://evil.example\@youtube.com/`,
		`https://youtube.com\.evil.example/`, "https://music.youtube.com/watch", "https://wwww.youtube.com/", "https://www.m.youtube.com/",
		"https://youtubе.com/watch?v=dQw4w9WgXcQ", "https://xn--youtub-2of.com/watch", "https://ｙoutube.com/", "https://youtube。com/", "https://youtube%2ecom/",
		"https://you\ttube.com/", " https://youtube.com/", "https://youtube.com\n/", "https://[::1]/youtube.com", "https://youtu.be.example/dQw4w9WgXcQ",
		"https://www.youtube.com/redirect?q=https://evil.example", "https://m.youtube.com//Redirect/?q=x", "https://youtube.com/attribution_link?u=/redirect",
	} {
		if hosts.Allow(address) || hosts.Player(address) != "" {
			t.Errorf("%q is allowed", address)
		}
	}
}

func TestHostsOfASetting(t *testing.T) {
	for setting, want := range map[string]Hosts{
		"": nil, "off": nil, "YouTube.com, youtu.be ,": {"youtube.com", "youtu.be"}, "tube.xn--bcher-kva.example": {"tube.xn--bcher-kva.example"},
	} {
		var got Hosts
		if err := got.UnmarshalText([]byte(setting)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is %q: %v", setting, got, err)
		}
	}
	for _, setting := range []string{"https://youtube.com", "*.example.org", "youtube", "a.example;script-src *", "tübe.example", "-a.example", "a.example:8080", "a..example"} {
		var got Hosts
		if err := got.UnmarshalText([]byte(setting)); err == nil {
			t.Errorf("%q is %q", setting, got)
		}
	}
}

// TestOriginsOfPlayers: pages may frame these, and for no host nothing.
func TestOriginsOfPlayers(t *testing.T) {
	want := []string{"https://www.youtube-nocookie.com", "https://player.vimeo.com", "https://tube.example"}
	if got := hosts.Origins(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := (Hosts{}).Origins(); len(got) != 0 {
		t.Errorf("%q", got)
	}
}
