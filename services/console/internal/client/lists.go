package client

import (
	"net/http"
	"net/url"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/publicapi"
)

// Lists reads the lists of an organization, or for "" all that the person may see.
func (a Admin) Lists(org string, paged url.Values) (adminapi.Lists, error) {
	return get[adminapi.Lists](a, at("lists"), ofOrganization(org, paged))
}

// AddList adds a list.
func (a Admin) AddList(fields map[string]any) (adminapi.WrittenList, error) {
	return send[adminapi.WrittenList](a, http.MethodPut, at("list"), fields)
}

// List reads a list with its ETag.
func (a Admin) List(uuid string) (list adminapi.List, tag string, err error) {
	return tagged[adminapi.List](a, Call{Path: at("list", uuid)})
}

// ListEntries reads the entries of a list with their events.
func (a Admin) ListEntries(uuid string) ([]adminapi.ShownListEntry, error) {
	got, err := get[adminapi.ListEntries](a, at("list", uuid, "entries"), nil)
	return got.Entries, err
}

// WriteList changes fields of a list.
func (a Admin) WriteList(uuid string) Write { return a.write(at("list", uuid)) }

// PutListEntry adds an entry to a list.
func (a Admin) PutListEntry(uuid string, fields map[string]any) (adminapi.WrittenList, error) {
	return send[adminapi.WrittenList](a, http.MethodPut, at("list", uuid, "entry"), fields)
}

// DeleteList deletes a list.
func (a Admin) DeleteList(uuid string) Delete { return a.deletion(at("list", uuid)) }

// Events finds upcoming public events by words, each once.
func (p Public) Events(words, limit string) ([]publicapi.Listed, error) {
	query := url.Values{"search": {words}, "group": {"event"}, "not_over": {"true"}, "limit": {limit}}
	got, err := read[envelope[publicapi.Events]](p, "/api/events", query)
	return got.Data.Events, err
}
