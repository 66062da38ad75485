package ui

import (
	"net/url"
	"strings"
)

// Tiles are the images of a map, from another host. Without them maps show only the land.
type Tiles struct {
	URL    string // with {z}, {x}, {y} and perhaps {s}, the name of one of several hosts; "" for none
	Credit string // whom maps credit for them
}

// Origins returns the origins of the tiles for Policy; none without tiles.
func (t Tiles) Origins() []string {
	address, err := url.Parse(strings.ReplaceAll(t.URL, "{s}", "*"))
	if err != nil || address.Host == "" {
		return nil
	}
	return []string{address.Scheme + "://" + address.Host}
}
