package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"

	"litfass/deploy/e2e/browser"
)

// The people of the demo whose pages are shown.
const (
	owner         = "owner@litfass.example"
	administrator = "admin@litfass.example"
	stranger      = "stranger@litfass.example" // belongs to no organization
)

// logins are the browsers of people who are logged in, by their addresses.
type logins map[string]json.RawMessage

// passwordOf matches the password in the file of the demo's people.
var passwordOf = regexp.MustCompile(`password of all\s+(\S+)`)

// logIn logs in the people of the demo. file is where their password is.
func logIn(ctx context.Context, b *browser.Browser, base, file string) (logins, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	password := passwordOf.FindSubmatch(content)
	if password == nil {
		return nil, fmt.Errorf("%s has no password", file)
	}
	people := map[string]any{}
	for _, email := range []string{owner, administrator, stranger} {
		people[email] = map[string]string{"email": email, "password": string(password[1])}
	}
	result, err := b.Walk(ctx, browser.Journey{Name: "console-sessions", Base: base, Args: map[string]any{"people": people}})
	if err != nil {
		return nil, err
	}
	if len(result.Failures) > 0 {
		return nil, fmt.Errorf("log in: %s", result.Failures[0])
	}
	var states logins
	return states, json.Unmarshal(result.Value, &states)
}

// organizersPages returns the pages of the console. own is an event of the owner's organization.
func organizersPages(own examples) []page {
	event, org := "/console/event/"+own.own.UUID, "/console/organization/"+own.own.OrgUUID
	const administration = "/console/administration/"
	pages := []page{
		{Name: "console-login", Path: "/console/login"},
		{Name: "console-signup", Path: "/console/signup"},
		{Name: "console-forgot", Path: "/console/forgot"},
	}
	for _, shown := range []struct{ name, path, person string }{
		{"start", "/console/", owner},
		{"start-empty", "/console/", stranger},
		{"organization", org, owner},
		{"organization-new", "/console/organization/new", owner},
		{"events", org + "/events", owner},
		{"events-empty", org + "/events?search=Improtheater", owner},
		{"venues", org + "/venues", owner},
		{"venue", "/console/venue/" + string(own.own.VenueUUID), owner},
		{"team", org + "/team", owner},
		{"keys", org + "/keys", owner},
		{"webhooks", org + "/webhooks", owner},
		{"portals", org + "/portals", owner},
		{"lists", org + "/lists", owner}, {"series", org + "/series", owner}, {"event-series", event + "/series", owner},
		{"audit", org + "/audit", owner},
		{"import", org + "/import", owner},
		{"sources", org + "/sources", owner},
		{"source-new", org + "/sources/new", owner},
		{"settings", org + "/settings", owner},
		{"first-place", "/console/first/place?organization=" + own.own.OrgUUID, owner},
		{"event-new", "/console/event/new?organization=" + own.own.OrgUUID, owner},
		{"event", event, owner},
		{"event-history", event + "/history", owner},
		{"event-translations", event + "/translations", owner},
		{"event-duplicate", event + "/duplicate", owner},
		{"event-delete", event + "/delete", owner},
		{"event-cancel", event + "/release/cancelled", owner},
		{"event-contributors", event + "/contributors?search=a", owner}, {"dates-new", event + "/dates/new", owner},
		{"place", event + "/place?search=Kiel", owner},
		{"messages", "/console/messages", owner}, {"venue-requests", "/console/venue-requests", owner},
		{"todos", "/console/todos", owner},
		{"account", "/console/account", owner},
		{"account-security", "/console/account/security", owner},
		{"account-keys", "/console/account/keys", owner},
		{"account-data", "/console/account/data", owner},
		{"account-delete", "/console/account/delete", owner},
		{"not-found", "/console/nowhere", owner},
		{"forbidden", administration + "people", owner},
		{"approvals", administration + "approvals", administrator},
		{"reports", administration + "reports", administrator},
		{"people", administration + "people", administrator},
		{"organizations", administration + "organizations", administrator},
		{"labels", administration + "labels", administrator}, {"contributors", administration + "contributors", administrator},
		{"operator-portals", administration + "portals", administrator},
		{"operator-lists", administration + "lists", administrator},
		{"operator-webhooks", administration + "webhooks", administrator},
		{"event-labels", event, administrator},
		{"mails", administration + "mails", administrator},
		{"nodes", administration + "nodes", administrator},
	} {
		pages = append(pages, page{Name: "console-" + shown.name, Path: shown.path, person: shown.person})
	}
	return pages
}

// context returns the options of the browser of a person; nil for a visitor.
func (l logins) context(person string) map[string]any {
	if person == "" {
		return nil
	}
	return map[string]any{"storageState": l[person]}
}
