package ui

import "strings"

// Policy returns the Content-Security-Policy of a page: everything comes from the site itself, and
// no inline script runs. frames are the websites that may show the page in a frame ("'none'",
// "*"), images are further origins of images, such as that of map tiles.
func Policy(frames string, images ...string) string {
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"font-src 'self'",
		"img-src " + strings.Join(append([]string{"'self'", "data:"}, images...), " "),
		"connect-src 'self'",
		"manifest-src 'self'",
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors " + frames,
	}, "; ")
}
