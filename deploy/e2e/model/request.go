package model

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Request is one edit as it is sent.
type Request struct {
	Who     *Person
	Do      string // the operation: its method and path below the prefix of the admin operations
	ID      string // the entity of the path
	Part    string // the part of the path: the uuid of a date, link or event, or the index of an image
	Query   string // "scope=all", "index=2"; "" for none
	Body    Object // nil for none; the fields of the form for an image
	File    *Picture
	IfMatch string // "" for no such header
	// Malformed: the body holds a field that is unknown or of another type. Invalid: a value breaks
	// a rule regardless of the catalogue.
	Malformed, Invalid bool
}

// Picture is an uploaded image file with the service's reading of it.
type Picture struct {
	Content       []byte
	MimeType      string
	Width, Height int
}

// Method returns the method of the request.
func (r Request) Method() string {
	method, _, _ := strings.Cut(r.Do, " ")
	return method
}

// Path returns where the request goes, below the prefix.
func (r Request) Path() string {
	_, path, _ := strings.Cut(r.Do, " ")
	path = strings.NewReplacer(
		":organizationId", r.ID, ":venueId", r.ID, ":spaceId", r.ID, ":eventId", r.ID, ":seriesId", r.ID, ":eventOfSeries", r.Part,
		":dateId", r.Part, ":linkId", r.Part, ":imageIndex", r.Part,
	).Replace(path)
	if r.Query != "" {
		path += "?" + r.Query
	}
	return path
}

// IsForm reports whether the body is sent as a form.
func (r Request) IsForm() bool {
	return r.Method() == http.MethodPost && strings.Contains(r.Do, "/image")
}

func (r Request) String() string {
	return fmt.Sprintf("%s: %s %s, If-Match %s, %.600v", r.Who.Name, r.Method(), r.Path(), r.IfMatch, r.Body)
}

// Verdict is the expected outcome of a request.
type Verdict struct {
	Refusals map[int]string // the statuses that may refuse it, with the reason; none: it is accepted
	Status   int            // of the answer when it is accepted
	Changes  []Change
}

// Change is the effect of an accepted request on one entity. Before is nil for a new one, After for
// a deleted one; all others have both, even if they are equal.
type Change struct{ Before, After *Entity }

// Accepted reports whether the request must be accepted.
func (v Verdict) Accepted() bool { return len(v.Refusals) == 0 }

// Why returns the reasons of a refusal.
func (v Verdict) Why() string {
	var reasons []string
	for _, status := range slices.Sorted(maps.Keys(v.Refusals)) {
		reasons = append(reasons, fmt.Sprintf("%d: %s", status, v.Refusals[status]))
	}
	return strings.Join(reasons, "; ")
}

// Judge returns the expected outcome of a request. It changes nothing.
func (w *World) Judge(r Request) Verdict {
	t := &trial{World: w, Request: r, verdict: Verdict{Refusals: map[int]string{}, Status: http.StatusOK}}
	judge := operations[r.Do]
	if judge == nil {
		panic("the model has no operation " + r.Do)
	}
	judge(t)
	_, forbidden := t.verdict.Refusals[http.StatusForbidden]
	_, unknown := t.verdict.Refusals[http.StatusNotFound]
	switch {
	case r.Malformed: // an operation may read the body before it checks the rights
		t.refuse(http.StatusBadRequest, "the body is malformed")
	case forbidden && !unknown: // rights come before content, unless one is of something unknown
		for _, status := range []int{http.StatusBadRequest, http.StatusConflict, http.StatusPreconditionFailed} {
			delete(t.verdict.Refusals, status)
		}
	case r.Invalid:
		t.refuse(http.StatusBadRequest, "a value of the body is invalid")
	}
	return t.verdict
}

// Accept makes the changes of a request that was accepted; uuid is the one that the answer names,
// for a new entity.
func (w *World) Accept(v Verdict, r Request, uuid string) {
	for _, change := range v.Changes {
		switch {
		case change.Before == nil:
			change.After.Fields["uuid"] = uuid
			w.Entities = append(w.Entities, change.After)
			if change.After.Kind == Organization {
				r.Who.Roles[uuid] = "owner"
			}
		case change.After == nil:
			w.remove(change.Before)
		default:
			change.Before.Fields = change.After.Fields
		}
	}
}

// remove removes an entity; a venue with its spaces.
func (w *World) remove(gone *Entity) {
	w.Gone = append(w.Gone, gone)
	w.Entities = slices.DeleteFunc(w.Entities, func(e *Entity) bool {
		return e == gone || gone.Kind == Venue && e.Kind == Space && e.Fields["venue_uuid"] == gone.UUID()
	})
}

var operations = map[string]func(*trial){
	"PUT /organization":                       (*trial).addOrganization,
	"PUT /organization/:organizationId":       (*trial).editOrganization,
	"DELETE /organization/:organizationId":    func(t *trial) { t.delete(Organization) },
	"PUT /venue":                              func(t *trial) { t.add(Venue) },
	"PUT /venue/:venueId":                     func(t *trial) { t.edit(Venue, t.assign) },
	"DELETE /venue/:venueId":                  func(t *trial) { t.delete(Venue) },
	"PUT /space":                              func(t *trial) { t.add(Space) },
	"PUT /space/:spaceId":                     func(t *trial) { t.edit(Space, t.assign) },
	"DELETE /space/:spaceId":                  func(t *trial) { t.delete(Space) },
	"POST /event/create":                      (*trial).createEvent,
	"PATCH /event/:eventId":                   (*trial).patchEvent,
	"DELETE /event/:eventId":                  func(t *trial) { t.delete(Event) },
	"POST /event/:eventId/duplicate":          (*trial).duplicateEvent,
	"PUT /events/bulk":                        (*trial).editEvents,
	"PUT /event/:eventId/header":              func(t *trial) { t.edit(Event, t.assign) },
	"PUT /event/:eventId/description":         func(t *trial) { t.edit(Event, t.assign) },
	"PUT /event/:eventId/summary":             func(t *trial) { t.edit(Event, t.assign) },
	"PUT /event/:eventId/types":               func(t *trial) { t.edit(Event, t.assign) },
	"PUT /event/:eventId/place":               func(t *trial) { t.edit(Event, t.assign) },
	"PUT /event/:eventId/tags":                func(t *trial) { t.edit(Event, t.assign) },
	"PUT /event/:eventId/labels":              (*trial).labelEvent,
	"PUT /event/:eventId/texts":               func(t *trial) { t.edit(Event, t.assign) },
	"PUT /event/:eventId/contributors":        (*trial).nameContributors,
	"PUT /event/:eventId/languages":           func(t *trial) { t.edit(Event, t.assign) },
	"PUT /event/:eventId/participation-infos": func(t *trial) { t.edit(Event, t.assign) },
	"PUT /event/:eventId/release-status":      func(t *trial) { t.edit(Event, t.assign) },
	"PUT /event/:eventId/link":                (*trial).addLink,
	"PUT /event/:eventId/link/:linkId":        (*trial).editLink,
	"DELETE /event/:eventId/link/:linkId":     (*trial).deleteLink,
	"POST /event/:eventId/date":               (*trial).addDates,
	"PUT /event/:eventId/date/:dateId":        (*trial).editDates,
	Sell:                                      (*trial).sell,
	"DELETE /event/:eventId/date/:dateId":     (*trial).deleteDates,
	"POST /event/:eventId/image/:imageIndex":  (*trial).putImage,
	"POST /event/:eventId/teaser/image":       (*trial).putImage,
	"DELETE /event/:eventId/image":            (*trial).deleteImages,
	"PUT /series":                             (*trial).addSeries,
	"PUT /series/:seriesId":                   (*trial).editSeries,
	"DELETE /series/:seriesId":                (*trial).deleteSeries,
	"POST /series/:seriesId/image":            (*trial).putSeriesImage,
	"DELETE /series/:seriesId/image":          (*trial).deleteSeriesImage,
	decideSeries:                              (*trial).decide,
}
