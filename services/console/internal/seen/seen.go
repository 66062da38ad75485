// Package seen answers when visitors see what was saved.
package seen

import (
	"net/url"
	"strconv"

	"litfass/pkg/fault"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// Mount adds its page.
func Mount(r page.Router) { r.Get("/seen", seen) }

// seen answers once the public API is complete up to the position of a write.
func seen(r *page.Request) error {
	position, err := strconv.ParseUint(r.Query.Get("position"), 10, 64)
	if err != nil {
		var bad fault.Violations
		bad.Add("position", "must be a whole number")
		return bad.Err("", "the address is not right")
	}
	if _, err := r.Public("/api/events", url.Values{"limit": {"1"}}, position); err != nil {
		return err
	}
	return r.ShowPart(view.Seen(r.Text))
}
