// Package seen reports when visitors see a saved version.
package seen

import (
	"net/url"
	"strconv"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// Mount adds its page.
func Mount(r page.Router) { r.Get("/seen", seen) }

// maxTries is how often a page asks before it gives up: for about four minutes.
const maxTries = 7

// seen answers whether the public API is complete up to the position of a write. The write is
// stored, so a public side that is slow or down is no failure: the page asks again later.
func seen(r *page.Request) error {
	position, err := strconv.ParseUint(r.Query.Get("position"), 10, 64)
	if err != nil {
		var bad fault.Violations
		bad.Add("position", reason.NotInteger)
		return bad.Err("", "the address is not right")
	}
	err = r.Public().UpTo(position)
	switch {
	case err == nil:
		return r.ShowPart(view.Seen(r.Text))
	case fault.Is(err, fault.Conflict), fault.Is(err, fault.Unavailable), fault.Is(err, fault.TooMany):
		return r.ShowPart(publishing(r.Text, position, triesOf(r)))
	}
	return err
}

// triesOf returns how often the page has asked before, as its address says.
func triesOf(r *page.Request) int {
	tries, err := strconv.Atoi(r.Query.Get("tries"))
	if err != nil || tries < 0 {
		return 0
	}
	return min(tries, maxTries)
}

// againAddress is the address of the page's next request.
func againAddress(position uint64, tries int) string {
	query := url.Values{"position": {strconv.FormatUint(position, 10)}, "tries": {strconv.Itoa(tries + 1)}}
	return page.Root + "/seen?" + query.Encode()
}

// pause is how long the page waits before that: twice as long each time.
func pause(tries int) string { return strconv.Itoa(2<<tries) + "s" }
