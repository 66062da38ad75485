// Package moderation has the pages of platform administrators: approvals, reports, people,
// organizations, labels, mails that were not delivered, and the read nodes.
package moderation

import (
	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// root is the path of the pages.
const root = page.Root + "/administration"

// Mount adds the pages.
func Mount(r page.Router) {
	get := func(path string, h page.Handler) { r.Get("/administration"+path, Administrators(h)) }
	post := func(path string, h page.Handler) { r.Post("/administration"+path, Administrators(h)) }
	get("", func(r *page.Request) error { return r.Go(root+"/"+tabApprovals, "") })
	get("/approvals", showApprovals)
	post("/approvals/:organization", decide)
	get("/reports", showReports)
	post("/reports/:report", closeReport)
	post("/events/:event/takedown", takeBack)
	post("/events/:event/lift", lift)
	get("/people", showPeople)
	post("/people/:person", setState)
	get("/organizations", showOrganizations)
	get("/mails", showMails)
	post("/mails/:mail/retry", retryMail)
	post("/mails/:mail/drop", dropMail)
	get("/nodes", showNodes)
	get("/labels", showLabels)
	post("/labels", saveLabel)
	get("/labels/:label/delete", askDeleteLabel)
	post("/labels/:label/delete", deleteLabel)
}

// Administrators refuses everyone else. The admin service does so, too.
func Administrators(h page.Handler) page.Handler {
	return func(r *page.Request) error {
		if !r.Administrator() {
			return fault.New(fault.Forbidden, "platform_administrator_required", "this is for platform administrators")
		}
		return h(r)
	}
}

// The pages, which are also the items of their menu.
const (
	tabApprovals     = "approvals"
	tabReports       = "reports"
	tabPeople        = "people"
	tabOrganizations = "organizations"
	tabLabels        = "labels"
	TabContributors  = "contributors" // of package contributor
	tabPortals       = "portals"      // of package portal
	tabLists         = "lists"        // of package curated
	tabMails         = "mails"
	tabNodes         = "nodes"
	TabWebhooks      = "webhooks" // of package webhook
)

var tabs = []string{tabApprovals, tabReports, tabPeople, tabOrganizations, tabLabels, TabContributors, tabPortals, tabLists, tabMails, TabWebhooks, tabNodes}

// Show answers with a page below the menu of the administration.
func Show(r *page.Request, tab string, content templ.Component) error {
	return ShowItem(r, tab, "", content)
}

// ShowItem answers with the page of an item of a tab, which is named in the title; "" for the tab.
func ShowItem(r *page.Request, tab, item string, content templ.Component) error {
	title := r.Text.T("moderation." + tab)
	if item != "" {
		title = item + " · " + title
	}
	return r.Show(view.Page{
		Title: title, Section: view.SectionAdministration,
		Content: framed(r.Text, tab, waiting(r), content),
	})
}

// waiting returns how much waits on each page.
func waiting(r *page.Request) map[string]int {
	attention, counts := r.Attention(), map[string]int{}
	for tab, count := range map[string]*int{
		tabApprovals: attention.PendingOrganizations, tabReports: attention.OpenReports, tabMails: attention.FailedMails,
	} {
		if count != nil {
			counts[tab] = *count
		}
	}
	return counts
}

// again shows a page once more with the errors of its form.
type again struct {
	of     string      // names the form
	text   string      // that was typed
	choice string      // of the same form
	errors view.Errors // under "" why it was refused as a whole
}

// refused returns the errors for a form that is shown again. Errors that it cannot show (see
// view.Refusable) are returned.
func refused(of, text string, err error) (again, error) {
	if !view.Refusable(err) {
		return again{}, err
	}
	return again{of: of, text: text, errors: view.Reasons(err)}, nil
}

// on returns the errors of a form.
func (a again) on(of string) again {
	if a.of == of {
		return a
	}
	return again{}
}

// label returns a message, or the word itself where there is none.
func label(t *text.Texts, id, word string) string {
	if t.Has(id + "." + word) {
		return t.T(id + "." + word)
	}
	return word
}
