package client

import (
	"net/http"
	"net/url"

	"litfass/pkg/contracts/adminapi"
)

// Contributors reads a page of the contributors that the person may name.
func (a Admin) Contributors(query url.Values) (adminapi.Contributors, error) {
	return get[adminapi.Contributors](a, at("contributors"), query)
}

// Contributor reads a contributor with its ETag.
func (a Admin) Contributor(uuid string) (contributor adminapi.Contributor, tag string, err error) {
	return tagged[adminapi.Contributor](a, Call{Path: at("contributor", uuid)})
}

// WriteContributor changes fields of a contributor.
func (a Admin) WriteContributor(uuid string) Write { return a.write(at("contributor", uuid)) }

// DeleteContributor deletes a contributor: with takeOut also one that events name.
func (a Admin) DeleteContributor(uuid string, takeOut bool) Delete {
	return func(password string) error {
		call := Call{Method: http.MethodDelete, Path: at("contributor", uuid), Body: confirmation(password)}
		if takeOut {
			call.Query = url.Values{"take_out": {"true"}}
		}
		return a.done(call)
	}
}

// MergeContributor merges a contributor into another one.
func (a Admin) MergeContributor(uuid, into string) error {
	return a.post(at("contributor", uuid, "merge"), adminapi.ContributorMerge{Into: into})
}

// NameContributors replaces the contributors of an event that has the ETag.
func (a Admin) NameContributors(event, tag string, named []adminapi.GivenContributor) error {
	return a.done(Call{
		Method: http.MethodPut, Path: at("event", event, "contributors"), Match: tag, Body: adminapi.GivenContributors{Contributors: named},
	})
}
