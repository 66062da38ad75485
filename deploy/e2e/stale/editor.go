package stale

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"litfass/deploy/e2e/reference"
)

// Edit is one write of an organizer. It is sent until it is answered with success, since an edit
// without an answer may have been made or not; then Done is called with the position of the answer.
type Edit struct {
	Method, Path string
	Body         map[string]any
	Done         func(position uint64)
}

// Editor makes edits of a book's catalogue: seven of ten change a text of one event, two a text or
// a name of an organization or a venue, one releases, cancels or withdraws an event. It is safe for
// concurrent use; no two edits of the same entity are under way at the same time.
type Editor struct {
	book  *Book
	draw  *rand.Rand
	words []string
	made  int

	events, released      []string // uuids; released are the events that change their status
	venues, organizations []string
	busy                  map[string]bool
}

// NewEditor returns the editor of a seed. It writes its texts with the words. It edits at most this
// many entities of each kind, the first ones of the catalogue; 0 means all.
func NewEditor(b *Book, seed uint64, words []string, most int) *Editor {
	e := &Editor{book: b, draw: rand.New(rand.NewPCG(seed, 7)), words: words, busy: map[string]bool{}}
	seen := map[string]bool{}
	add := func(list *[]string, uuid string) {
		if !seen[uuid] && (most == 0 || len(*list) < most) {
			seen[uuid] = true
			*list = append(*list, uuid)
		}
	}
	for _, d := range b.dates {
		add(&e.events, d.Event.UUID)
		add(&e.organizations, d.Event.OrgUUID)
		if d.Place.Venue != nil {
			add(&e.venues, d.Place.Venue.UUID)
		}
	}
	for i := 0; i < len(e.events); i += 10 {
		e.released = append(e.released, e.events[i])
	}
	return e
}

// Next returns an edit and notes that it may be seen from now on. There must be more events than
// edits under way.
func (e *Editor) Next() Edit { return e.next(e.drawKind) }

// Text returns an edit of a text of an event, as Next does.
func (e *Editor) Text() Edit {
	return e.next(func() (edit func(uuid string) Edit, of []string) { return e.editText, e.events })
}

// Status returns an edit that releases, cancels or withdraws an event, as Next does.
func (e *Editor) Status() Edit {
	return e.next(func() (edit func(uuid string) Edit, of []string) { return e.editStatus, e.released })
}

// Record returns an edit of an organization or a venue, as Next does.
func (e *Editor) Record() Edit {
	return e.next(func() (edit func(uuid string) Edit, of []string) {
		if e.draw.IntN(2) == 0 {
			return e.editOrganization, e.organizations
		}
		return e.editVenue, e.venues
	})
}

// next returns an edit of an entity of a drawn kind that no other edit is about.
func (e *Editor) next(drawKind func() (edit func(uuid string) Edit, of []string)) Edit {
	e.book.mu.Lock()
	defer e.book.mu.Unlock()
	e.made++
	for {
		edit, uuids := drawKind()
		if uuid := uuids[e.draw.IntN(len(uuids))]; !e.busy[uuid] {
			return edit(uuid)
		}
	}
}

// drawKind returns a kind of edits, and the entities that they are about.
func (e *Editor) drawKind() (edit func(uuid string) Edit, of []string) {
	switch kind := e.draw.IntN(100); {
	case kind < 70:
		return e.editText, e.events
	case kind < 80:
		return e.editOrganization, e.organizations
	case kind < 90:
		return e.editVenue, e.venues
	default:
		return e.editStatus, e.released
	}
}

// text returns a text that no edit before has written.
func (e *Editor) text(words int) string {
	text := make([]string, words)
	for i := range text {
		text[i] = e.words[e.draw.IntN(len(e.words))]
	}
	return fmt.Sprintf("%s %d", strings.Join(text, " "), e.made)
}

func (e *Editor) editText(uuid string) Edit {
	h := e.book.events[uuid]
	is := *h.last()
	body := map[string]any{}
	part := "description"
	switch e.draw.IntN(5) {
	case 0:
		part, is.Title, is.Subtitle = "header", e.text(4), reference.Text(e.text(5))
		body["title"], body["subtitle"] = is.Title, is.Subtitle
	case 1, 2:
		part, is.Summary = "summary", reference.Text(e.text(20))
		body["summary"] = is.Summary
	default:
		is.Description = reference.Text(e.text(80))
		body["description"] = is.Description
	}
	return sent(e, entity{event, uuid}, true, h, &is, "/"+part, body)
}

// following are the moves between statuses: a released event is cancelled, a cancelled one
// withdrawn, and a draft released.
var following = map[string]string{
	"released": "cancelled", "cancelled": "draft", "draft": "released", "deferred": "released", "rescheduled": "released",
}

func (e *Editor) editStatus(uuid string) Edit {
	h := e.book.events[uuid]
	is := *h.last()
	is.ReleaseStatus = following[is.ReleaseStatus]
	return sent(e, entity{event, uuid}, true, h, &is, "/release-status", map[string]any{"release_status": is.ReleaseStatus})
}

func (e *Editor) editOrganization(uuid string) Edit {
	h := e.book.organizations[uuid]
	is := *h.last()
	body := map[string]any{}
	if e.draw.IntN(5) == 0 {
		is.Name = e.text(2)
		body["name"] = is.Name
	} else {
		is.Description = reference.Text(e.text(40))
		body["description"] = is.Description
	}
	return sent(e, entity{organization, uuid}, false, h, &is, "", body)
}

func (e *Editor) editVenue(uuid string) Edit {
	h := e.book.venues[uuid]
	is := *h.last()
	body := map[string]any{}
	named := e.draw.IntN(5) == 0
	if named {
		is.Name = e.text(2)
		body["name"] = is.Name
	} else {
		is.Description = reference.Text(e.text(40))
		body["description"] = is.Description
	}
	return sent(e, entity{venue, uuid}, named, h, &is, "", body)
}

// sent begins an edit of an entity.
func sent[T any](e *Editor, what entity, members bool, h *history[T], is *T, part string, body map[string]any) Edit {
	e.busy[what.uuid] = true
	h.begin(is)
	e.book.note(what, members)
	return Edit{
		Method: http.MethodPut, Path: "/api/admin/" + what.kind + "/" + what.uuid + part, Body: body,
		Done: func(position uint64) {
			e.book.mu.Lock()
			defer e.book.mu.Unlock()
			h.end(position)
			delete(e.busy, what.uuid)
		},
	}
}
