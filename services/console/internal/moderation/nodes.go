package moderation

import (
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
)

// showNodes shows how far each read node has got. A script asks again while the page is open.
func showNodes(r *page.Request) error {
	var found adminapi.ReadNodes
	if _, err := r.Get("/api/admin/nodes", nil, &found); err != nil {
		return err
	}
	if r.Script {
		return r.ShowPart(nodes(r, found))
	}
	return show(r, tabNodes, nodes(r, found))
}
