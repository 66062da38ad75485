package moderation

import (
	"net/http"
	"net/url"
	"strconv"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// states are the states of accounts, in the order of the filter.
var states = []string{adminapi.PersonActive, adminapi.PersonInactive, adminapi.PersonUnconfirmed}

func showPeople(r *page.Request) error { return listPeople(r, again{}) }

func listPeople(r *page.Request, a again) error {
	found, err := r.Admin().People(filtered(r, "state"))
	if err != nil {
		return err
	}
	pager := view.Pager{Page: found.Page, Path: root + "/" + tabPeople, Query: r.Query}
	return Show(r, tabPeople, people(r, found.People, pager, a))
}

// filtered returns the query of a list: its words, one filter and the page.
func filtered(r *page.Request, filter string) url.Values {
	paged := view.Paged(r.Query)
	query := url.Values{"limit": paged["limit"], "offset": paged["offset"]}
	for _, name := range []string{"search", filter} {
		if value := r.Query.Get(name); value != "" {
			query.Set(name, value)
		}
	}
	return query
}

// choices are the values of a filter in words; the first one is all.
func choices(r *page.Request, id, chosen string, values []string) []view.Option {
	options := []view.Option{{Value: "", Label: r.Text.T("moderation.all")}}
	for _, value := range values {
		options = append(options, view.Option{Value: value, Label: r.Text.T(id + "." + value), Chosen: value == chosen})
	}
	return options
}

// setState deactivates an account with a reason, or reactivates it.
func setState(r *page.Request) error {
	person, err := strconv.Atoi(r.Param("person"))
	if err != nil || person < 1 {
		return fault.New(fault.NotFound, "", "there is no such person")
	}
	id, reason := strconv.Itoa(person), r.Form.Text("reason")
	active := r.Form.Get("active") == "true"
	a := again{of: id, errors: view.Errors{"reason": r.Text.T("moderation.reason_needed")}}
	if active || reason != "" {
		state := adminapi.PersonState{Active: &active, Reason: reason}
		err := r.Admin().SetPersonState(person, state)
		if err == nil {
			return r.Go(root+"/"+tabPeople, "person_changed")
		}
		if a, err = refused(id, reason, err); err != nil {
			return err
		}
	}
	r.Status(http.StatusUnprocessableEntity)
	return listPeople(r, a)
}
