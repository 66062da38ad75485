// Package video recognizes the addresses of videos at the hosts that a deployment allows, and knows
// the addresses of their players.
package video

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Hosts are the hosts whose videos events may have, such as youtube.com; www. and m. before one are
// the same host. A host that is not known here has PeerTube.
type Hosts []string

// off is the setting of no host.
const off = "off"

var hostPattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`)

// UnmarshalText reads a list with commas.
func (h *Hosts) UnmarshalText(text []byte) error {
	*h = nil
	for name := range strings.SplitSeq(string(text), ",") {
		switch name = strings.ToLower(strings.TrimSpace(name)); {
		case name == "" || name == off:
		case !hostPattern.MatchString(name):
			return fmt.Errorf("%q is not the name of a host", name)
		default:
			*h = append(*h, name)
		}
	}
	return nil
}

// Allow reports whether an address is one of a video at one of the hosts: by https, and without
// anything that could mislead about its host.
func (h Hosts) Allow(address string) bool {
	_, _, allowed := h.parse(address)
	return allowed
}

// leading are the pages of YouTube that send browsers to an address in their parameters.
var leading = regexp.MustCompile(`^/+(?i:redirect|attribution_link)/*$`)

// parse returns the host of an address, as Hosts has it.
func (h Hosts) parse(address string) (host string, link *url.URL, allowed bool) {
	link, err := url.Parse(address)
	if err != nil || link.Scheme != "https" || link.User != nil || link.Opaque != "" || link.Host != link.Hostname() {
		return "", nil, false
	}
	host = strings.ToLower(link.Host)
	for _, prefix := range []string{"", "www.", "m."} {
		if short, found := strings.CutPrefix(host, prefix); found && slices.Contains(h, short) {
			return short, link, !leading.MatchString(link.Path)
		}
	}
	return "", nil, false
}

// player is how the videos of a host are played.
type player struct {
	origin  string
	address func(link *url.URL) string // "" for the address of anything but a video
}

// The ids of videos. Nothing else of an address reaches that of a player.
var (
	youtubePath = regexp.MustCompile(`^/(?:embed/|shorts/|live/|v/)([A-Za-z0-9_-]{11})/?$`)
	youtubeID   = regexp.MustCompile(`^/?([A-Za-z0-9_-]{11})/?$`)
	vimeoPath   = regexp.MustCompile(`^/(?:video/|channels/[a-z0-9]+/)?([0-9]{1,12})(?:/([0-9a-f]{6,40}))?/?$`)
	peertube    = regexp.MustCompile(`^/(?:w|videos/watch|videos/embed)/([A-Za-z0-9-]{8,36})/?$`)
)

const (
	youtube = "https://www.youtube-nocookie.com" // which sets no cookie before the video plays
	vimeo   = "https://player.vimeo.com"
)

func playerOf(host string) player {
	switch host {
	case "youtube.com", "youtube-nocookie.com":
		return player{youtube, func(link *url.URL) string {
			return youtubePlayer(youtubePath, link.Path) + youtubePlayer(youtubeID, ofWatch(link))
		}}
	case "youtu.be":
		return player{youtube, func(link *url.URL) string { return youtubePlayer(youtubeID, link.Path) }}
	case "vimeo.com", "player.vimeo.com":
		return player{vimeo, vimeoPlayer}
	default:
		origin := "https://" + host
		return player{origin, func(link *url.URL) string {
			if found := peertube.FindStringSubmatch(link.Path); found != nil {
				return origin + "/videos/embed/" + found[1]
			}
			return ""
		}}
	}
}

// ofWatch returns the id that the page of a video has as a parameter.
func ofWatch(link *url.URL) string {
	if link.Path != "/watch" {
		return ""
	}
	return link.Query().Get("v")
}

func youtubePlayer(pattern *regexp.Regexp, text string) string {
	if found := pattern.FindStringSubmatch(text); found != nil {
		return youtube + "/embed/" + found[1]
	}
	return ""
}

// vimeoPlayer asks for no tracking. A video that is not listed needs the hash of its address.
func vimeoPlayer(link *url.URL) string {
	found := vimeoPath.FindStringSubmatch(link.Path)
	if found == nil {
		return ""
	}
	address := vimeo + "/video/" + found[1] + "?dnt=1"
	if found[2] != "" {
		address += "&h=" + found[2]
	}
	return address
}

// Player returns the address of the player of a video; "" for an address that Allow refuses, or
// that is none of a single video.
func (h Hosts) Player(address string) string {
	host, link, allowed := h.parse(address)
	if !allowed {
		return ""
	}
	return playerOf(host).address(link)
}

// Origins returns the origins of the players, for the Content-Security-Policy.
func (h Hosts) Origins() (origins []string) {
	for _, host := range h {
		if origin := playerOf(host).origin; !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	}
	return origins
}
