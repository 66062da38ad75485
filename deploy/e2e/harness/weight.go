package harness

import (
	"litfass/deploy/e2e/browser"
)

// Weight returns the bytes of a type of requests.
func Weight(requests []browser.Request, kind string) (bytes int) {
	for _, request := range requests {
		if request.Type == kind {
			bytes += request.Bytes
		}
	}
	return bytes
}
