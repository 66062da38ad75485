package moderation

import "litfass/services/console/internal/page"

// showNodes shows how far each read node has got. A script asks again while the page is open.
func showNodes(r *page.Request) error {
	found, err := r.Admin().ReadNodes()
	if err != nil {
		return err
	}
	if r.Script {
		return r.ShowPart(nodes(r, found))
	}
	return Show(r, tabNodes, nodes(r, found))
}
