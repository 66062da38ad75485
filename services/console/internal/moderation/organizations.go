package moderation

import (
	"slices"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// approvalStates are the states of organizations, in the order of the filter.
var approvalStates = []string{adminapi.ApprovalPending, adminapi.ApprovalApproved, adminapi.ApprovalRefused}

func showOrganizations(r *page.Request) error {
	found, err := r.Admin().PlatformOrganizations(filtered(r, "approval"))
	if err != nil {
		return err
	}
	pager := view.Pager{Page: found.Page, Path: root + "/" + tabOrganizations, Query: r.Query}
	return Show(r, tabOrganizations, organizations(r, found.Organizations, countries(r), pager))
}

// countries are the names of countries; without them their codes are shown.
func countries(r *page.Request) lookup.Choices {
	known, _ := r.Lookup().Choices("countries")
	return known
}

// townOf returns a town with its country, of which either may be empty.
func townOf(city, country string) string {
	return strings.Join(slices.DeleteFunc([]string{city, country}, func(part string) bool { return part == "" }), ", ")
}
