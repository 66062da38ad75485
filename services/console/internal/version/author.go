package version

import (
	"encoding/json"
	"net/url"
	"slices"

	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// ChangedBy returns who has written last what touches reports of the values after a write of an
// event, and when, as a sentence that asks which version to keep; "" when that is not known.
func ChangedBy(r *page.Request, event string, touches func(after Values) bool) string {
	found, err := r.Admin().History(event, url.Values{"limit": {"20"}})
	if err != nil {
		return "" // the question is asked without a name
	}
	for _, written := range found.Entries {
		if !touches(ReadValues(written.After)) {
			continue
		}
		moment := view.Moment(r.Text, written.At.In(r.Now.Location()))
		switch {
		case written.Own:
			return r.Text.With("auto.conflict_own", "When", moment)
		case written.ActorName != "":
			return r.Text.With("auto.conflict_by", "Who", string(written.ActorName), "When", moment)
		}
		return ""
	}
	return ""
}

// HasAny returns a function that reports whether values have any of the keys.
func HasAny(keys []string) func(after Values) bool {
	return func(after Values) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return after[key] != nil })
	}
}

// HasItem returns a function that reports whether a list of the values, such as "dates", has an
// item with a uuid. The values after a write have only the items that it changed.
func HasItem(list, uuid string) func(after Values) bool {
	return func(after Values) bool {
		var items []struct {
			UUID string `json:"uuid"`
		}
		_ = after.Read(list, &items) // anything but a list has no items
		for _, item := range items {
			if item.UUID == uuid {
				return true
			}
		}
		return false
	}
}

// ReadValues reads the values of a write; nil where there are none.
func ReadValues(object json.RawMessage) Values {
	var values Values
	_ = json.Unmarshal(object, &values) // anything but an object has no values
	return values
}
