package client

import (
	"net/http"
	"net/url"

	"litfass/pkg/contracts/adminapi"
)

// Event reads an event, with its ETag.
func (a Admin) Event(uuid string) (e adminapi.Event, tag string, err error) {
	return tagged[adminapi.Event](a, Call{Path: at("event", uuid)})
}

// AddEvent adds an event.
func (a Admin) AddEvent(fields map[string]any) (adminapi.WrittenEvent, error) {
	return send[adminapi.WrittenEvent](a, http.MethodPost, at("event", "create"), fields)
}

// ReadEvent reads an event by its fields.
func (a Admin) ReadEvent(uuid string) Read { return a.read(at("event", uuid)) }

// WriteEvent changes fields of a part of an event, such as "header".
func (a Admin) WriteEvent(uuid, part string) Write { return a.write(at("event", uuid, part)) }

// PatchEvent changes fields of several parts of an event at once.
func (a Admin) PatchEvent(uuid string) Write {
	return func(tag string, fields map[string]any) (Answer, error) {
		return a.do(Call{Method: http.MethodPatch, Path: at("event", uuid), Match: tag, Body: fields})
	}
}

// DeleteEvent deletes an event.
func (a Admin) DeleteEvent(uuid string) Delete { return a.deletion(at("event", uuid)) }

// ChangeEvents changes several events, all of them or none.
func (a Admin) ChangeEvents(fields []map[string]any) (adminapi.BulkResult, error) {
	return send[adminapi.BulkResult](a, http.MethodPut, at("events", "bulk"), map[string]any{"events": fields})
}

// DuplicateEvent adds a draft like an event.
func (a Admin) DuplicateEvent(uuid string, how adminapi.Duplication) (adminapi.WrittenEvent, error) {
	return send[adminapi.WrittenEvent](a, http.MethodPost, at("event", uuid, "duplicate"), how)
}

// History reads the changes of an event.
func (a Admin) History(uuid string, paged url.Values) (adminapi.EventHistory, error) {
	return get[adminapi.EventHistory](a, at("event", uuid, "history"), paged)
}

// Presence reads whether an event has changed and who else has it open, unless the ETag of that
// answer is known. It counts as a sign that the person has the event open.
func (a Admin) Presence(uuid, known string) (Answer, error) {
	return a.do(Call{Path: at("event", uuid, "presence"), Query: url.Values{"open": {"true"}}, Known: known})
}

// MakePreviewLink makes a link that shows an event before it is public.
func (a Admin) MakePreviewLink(event string) (adminapi.PreviewLink, error) {
	return send[adminapi.PreviewLink](a, http.MethodPost, at("event", event, "preview-link"), nil)
}

// PreviewLinks reads the valid ones.
func (a Admin) PreviewLinks(event string) (adminapi.PreviewLinks, error) {
	return get[adminapi.PreviewLinks](a, at("event", event, "preview-link"), nil)
}

// RevokePreviewLink revokes one of them.
func (a Admin) RevokePreviewLink(event, link string) error {
	return a.delete(at("event", event, "preview-link", link))
}

// RevokePreviewLinks revokes all such links of an event.
func (a Admin) RevokePreviewLinks(event string) error {
	return a.delete(at("event", event, "preview-link"))
}

// AddLink adds a link to an event.
func (a Admin) AddLink(event string, fields map[string]any) error {
	return a.put(at("event", event, "link"), fields)
}

// WriteLink changes fields of a link.
func (a Admin) WriteLink(event, link string) Write { return a.write(at("event", event, "link", link)) }

// DeleteLink deletes a link.
func (a Admin) DeleteLink(event, link string) error {
	return a.delete(at("event", event, "link", link))
}

// PlanDates returns the dates that a rule makes, without storing them.
func (a Admin) PlanDates(p adminapi.PlannedDates) (adminapi.RuleDates, error) {
	return send[adminapi.RuleDates](a, http.MethodPost, at("event", "date-rule", "preview"), p)
}

// AddDates adds dates to an event if tag is still its ETag.
func (a Admin) AddDates(event, tag string, dates adminapi.NewDates) (adminapi.WrittenDates, error) {
	return call[adminapi.WrittenDates](a, Call{
		Method: http.MethodPost, Path: at("event", event, "date"), Match: tag, Body: dates,
	})
}

// ChangeDates changes fields of a date if tag is still the ETag of its event. The scope, such as
// "this", may include further dates of its rule.
func (a Admin) ChangeDates(event, date, tag, scope string, fields map[string]any) (adminapi.WrittenDates, error) {
	return call[adminapi.WrittenDates](a, Call{
		Method: http.MethodPut, Path: at("event", event, "date", date), Match: tag,
		Query: url.Values{"scope": {scope}}, Body: fields,
	})
}

// SetAvailability states whether there are places at a date.
func (a Admin) SetAvailability(date string, is adminapi.DateAvailability) (adminapi.WrittenAvailability, error) {
	return call[adminapi.WrittenAvailability](a, Call{Method: http.MethodPut, Path: at("date", date, "availability"), Body: is})
}

// DeleteDates deletes a date, as ChangeDates changes one.
func (a Admin) DeleteDates(event, date, tag, scope string) (adminapi.DeletedDates, error) {
	return call[adminapi.DeletedDates](a, Call{
		Method: http.MethodDelete, Path: at("event", event, "date", date), Match: tag, Query: url.Values{"scope": {scope}},
	})
}

// OrderImages changes the order of the images of an event if tag is still the ETag of the event.
func (a Admin) OrderImages(event, tag string, order adminapi.ImageOrder) error {
	return a.done(Call{Method: http.MethodPut, Path: at("event", event, "images", "order"), Match: tag, Body: order})
}
