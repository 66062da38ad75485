package ui

import (
	"slices"
	"strings"
)

// Policy returns the Content-Security-Policy of a page: everything comes from the site itself, and
// no inline script runs. frames are the websites that may show the page in a frame ("'none'",
// "*"). tiles are the origins of map tiles, which the script of a map reads; images are further
// sources of images.
func Policy(frames string, tiles []string, images ...string) string {
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"font-src 'self'",
		"img-src " + strings.Join(slices.Concat([]string{"'self'", "data:"}, tiles, images), " "),
		"connect-src " + strings.Join(append([]string{"'self'"}, tiles...), " "),
		"worker-src 'self'",
		"manifest-src 'self'",
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors " + frames,
	}, "; ")
}
