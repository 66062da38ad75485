package client

import (
	"context"
	"net/url"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
)

// Portal reads the name and the look of a portal. It returns the errors of Data, NotFound for an
// unknown portal.
func (r *Reads) Portal(ctx context.Context, slug string) (portal publicapi.Portal, err error) {
	err = r.Data(ctx, "/api/portal/"+url.PathEscape(slug), nil, &portal)
	switch {
	case err == nil:
		r.client.portals.Store(slug, portal)
	case fault.Is(err, fault.NotFound):
		r.client.portals.Delete(slug)
	}
	return portal, err
}

// LastPortal returns a portal as it was read last, for pages of errors that must not read. known is
// false for one that was not read since the start, or not there.
func (c *Client) LastPortal(slug string) (portal publicapi.Portal, known bool) {
	kept, _ := c.portals.Load(slug)
	portal, known = kept.(publicapi.Portal)
	return portal, known
}
