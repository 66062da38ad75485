package page

import (
	"context"

	"litfass/services/site/internal/client"
	"litfass/services/site/internal/view"
)

// about is the page that says what the site is. It reads nothing.
func (d Deps) about(_ context.Context, _ *client.Reads, r *Request) (view.Page, error) {
	return view.About(d.shown(r), d.Brand), nil
}
