package moderation

import (
	"net/http"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

func showApprovals(r *page.Request) error { return listApprovals(r, again{}) }

func listApprovals(r *page.Request, a again) error {
	pending, err := r.Admin().PendingOrganizations(view.Paged(r.Query))
	if err != nil {
		return err
	}
	pager := view.Pager{Page: pending.Page, Path: root + "/" + tabApprovals, Query: r.Query}
	return Show(r, tabApprovals, approvals(r, pending.Organizations, countries(r), pager, a))
}

// decide approves an organization, or refuses it with a reason.
func decide(r *page.Request) error {
	org, err := r.UUID("organization")
	if err != nil {
		return err
	}
	decision := adminapi.Decision{Approved: r.Form.Get("approved") == "true", Reason: r.Form.Text("reason")}
	a := again{of: org, text: decision.Reason}
	if !decision.Approved && decision.Reason == "" {
		a.errors = view.Errors{"reason": r.Text.T("moderation.reason_needed")}
	} else if err := r.Admin().DecideApproval(org, decision); err == nil {
		return r.Go(root+"/"+tabApprovals, "decided")
	} else if a, err = refused(org, decision.Reason, err); err != nil {
		return err
	}
	r.Status(http.StatusUnprocessableEntity)
	return listApprovals(r, a)
}
