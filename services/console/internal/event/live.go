package event

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/version"
)

// news is what an open page learns. A script shows it, and replaces the parts of the page that have
// the keys.
type news struct {
	Tag     string   `json:"tag"`     // of the event now
	Entry   int      `json:"entry"`   // the newest one of the history; 0 for none
	Keys    []string `json:"keys"`    // that others have changed; "*" when that is not known
	Own     []string `json:"own"`     // that the person has changed, in this tab or elsewhere
	Open    string   `json:"open"`    // who else has the event open; "" for no one
	Changed string   `json:"changed"` // what others have changed, and when; "" for nothing
}

// showLive answers an open page with what has happened since it asked last: 304 for nothing. The
// page sends the tag, and the newest entry of the history, that it knows.
func showLive(r *page.Request) error {
	uuid, err := r.UUID("event")
	if err != nil {
		return err
	}
	answer, err := r.Admin().Presence(uuid, r.KnownTag())
	if err != nil {
		return err
	}
	r.Header(fiber.HeaderETag, answer.Tag)
	if answer.Status == http.StatusNotModified {
		r.Status(http.StatusNotModified)
		return nil
	}
	var found adminapi.Presence
	if err := answer.Read(&found); err != nil {
		return err
	}
	n := news{Tag: found.ETag, Keys: []string{}, Own: []string{}, Open: openWords(r.Text, found.People)}
	known, unknown := strconv.Atoi(r.Query.Get("entry"))
	if unknown == nil {
		n.Entry = known
	}
	if changed := n.Tag != r.Query.Get("tag"); changed || unknown != nil {
		if err := n.read(r, uuid, changed, unknown != nil); err != nil {
			return err
		}
	}
	body, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return r.SendFile(body, fiber.MIMEApplicationJSON, "")
}

// openWords says who else has the event open; "" for no one.
func openWords(t *text.Texts, people []adminapi.PresentPerson) string {
	if len(people) == 0 {
		return ""
	}
	names := make([]string, len(people))
	for i, person := range people {
		names[i] = string(person.Name)
		if names[i] == "" {
			names[i] = t.T("event.live.unnamed")
		}
	}
	all := names[len(names)-1]
	if before := names[:len(names)-1]; len(before) > 0 {
		all = strings.Join(before, ", ") + " " + t.T("event.live.and") + " " + all
	}
	words := t.Count("event.live.open", len(people), "Who", all)
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}

// read adds what was written since the entry that the page knows. A page that was just opened knows
// none: only the last write can be one that it does not show.
func (n *news) read(r *page.Request, uuid string, changed, opened bool) error {
	found, err := r.Admin().History(uuid, url.Values{"limit": {"20"}})
	if fault.Is(err, fault.Forbidden) { // people who may not edit do not see the history
		if changed {
			n.Keys, n.Changed = []string{"*"}, changedWords(r, adminapi.HistoryEntry{At: r.Now}, "")
		}
		return nil
	}
	if err != nil || len(found.Entries) == 0 {
		return err
	}
	known, entries := n.Entry, found.Entries
	n.Entry = entries[0].ID
	if !changed {
		return nil
	}
	if opened {
		entries = entries[:1]
	}
	var sentences []string
	for _, written := range entries {
		if written.ID <= known {
			break
		}
		keys := keysOf(written)
		if written.Own {
			n.Own = append(n.Own, keys...)
			continue
		}
		n.Keys = append(n.Keys, keys...)
		sentences = append(sentences, changedWords(r, written, changedLabels(r.Text, written)))
	}
	slices.Reverse(sentences)
	n.Changed = strings.Join(sentences, " · ")
	return nil
}

// keysOf returns the fields that a write has changed, in order.
func keysOf(written adminapi.HistoryEntry) []string {
	all := version.Values{}
	maps.Copy(all, version.ReadValues(written.Before))
	maps.Copy(all, version.ReadValues(written.After))
	return slices.Sorted(maps.Keys(all))
}

// changedLabels names the fields that a write has changed; "" for fields that the page does not
// have.
func changedLabels(t *text.Texts, written adminapi.HistoryEntry) string {
	keys, labels := keysOf(written), []string{}
	for _, key := range historyKeys() {
		if slices.Contains(keys, key) {
			labels = append(labels, t.T("event.field."+key))
		}
	}
	return strings.Join(labels, ", ")
}

// changedWords says who has changed what, and when.
func changedWords(r *page.Request, written adminapi.HistoryEntry, labels string) string {
	at := written.At.In(r.Now.Location())
	moment := r.Text.Clock(at.Format("15:04"))
	if at.Format(time.DateOnly) != r.Now.Format(time.DateOnly) {
		moment = when(r.Text, at)
	}
	if labels == "" {
		labels = r.Text.T("event.live.something")
	}
	if written.ActorName == "" {
		return r.Text.With("event.live.changed", "When", moment, "What", labels)
	}
	return r.Text.With("event.live.changed_by", "Who", string(written.ActorName), "When", moment, "What", labels)
}
