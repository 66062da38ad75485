package client

import (
	"net/url"
	"strconv"

	"litfass/pkg/contracts/adminapi"
)

// PendingOrganizations reads the organizations that wait for an approval.
func (a Admin) PendingOrganizations(paged url.Values) (adminapi.PendingOrganizations, error) {
	return get[adminapi.PendingOrganizations](a, at("organizations", "pending"), paged)
}

// DecideApproval approves an organization, or refuses it.
func (a Admin) DecideApproval(org string, d adminapi.Decision) error {
	return a.put(at("organization", org, "approval"), d)
}

// Reports reads the reports of events.
func (a Admin) Reports(query url.Values) (adminapi.Reports, error) {
	return get[adminapi.Reports](a, at("reports"), query)
}

// CloseReport closes a report.
func (a Admin) CloseReport(uuid string, with adminapi.Closing) error {
	return a.put(at("report", uuid), with)
}

// TakeDown makes an event a draft that cannot be released.
func (a Admin) TakeDown(event string, why adminapi.TakedownReason) error {
	return a.put(at("event", event, "takedown"), why)
}

// LiftTakedown lets an event be released again.
func (a Admin) LiftTakedown(event string) error { return a.delete(at("event", event, "takedown")) }

// People reads the accounts of the platform.
func (a Admin) People(query url.Values) (adminapi.People, error) {
	return get[adminapi.People](a, at("people"), query)
}

// SetPersonState deactivates or reactivates an account.
func (a Admin) SetPersonState(id int, to adminapi.PersonState) error {
	return a.put(at("people", strconv.Itoa(id), "state"), to)
}

// PlatformOrganizations reads all organizations of the platform.
func (a Admin) PlatformOrganizations(query url.Values) (adminapi.PlatformOrganizations, error) {
	return get[adminapi.PlatformOrganizations](a, at("organizations"), query)
}

// UndeliveredMails reads the mails that could not be delivered.
func (a Admin) UndeliveredMails(paged url.Values) (adminapi.UndeliveredMails, error) {
	return get[adminapi.UndeliveredMails](a, at("mails"), paged)
}

// RetryMail has a mail sent again.
func (a Admin) RetryMail(id int64) error {
	return a.post(at("mails", strconv.FormatInt(id, 10), "retry"), nil)
}

// DropMail gives a mail up.
func (a Admin) DropMail(id int64) error { return a.delete(at("mails", strconv.FormatInt(id, 10))) }

// ReadNodes reads how far the read nodes have got.
func (a Admin) ReadNodes() (adminapi.ReadNodes, error) {
	return get[adminapi.ReadNodes](a, at("nodes"), nil)
}
