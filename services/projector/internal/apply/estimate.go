package apply

import (
	"bytes"
	"encoding/json"

	"litfass/pkg/contracts/change"
)

const (
	// certainlySmall is the size of a message that is not read to estimate its documents. The largest
	// have half of it in dates, of at least leastDate bytes each.
	certainlySmall = 8 << 10
	leastDate      = 300

	// largeWeight is the weight from which on an event is written in slices. Its words take the engine
	// some 0.5 s.
	largeWeight = 512 << 10

	weightOfTitle = 8        // times its bytes: as words, as keys of its parts, and shown
	weightOfDate  = 1500     // of a document without the texts of its event
	weightOfHours = 20 << 10 // of the times at which a date with opening hours is open
)

// estimate is what a change takes to write, before its documents are made.
type estimate struct {
	weight int  // bytes of the documents, about
	urgent bool // it takes an event or dates of it back
}

// sketch are the parts of an event on which the size of its documents depends: the texts by which
// its dates are searched, and those that their entries show.
type sketch struct {
	Title         string   `json:"title"`
	Subtitle      string   `json:"subtitle"`
	Summary       string   `json:"summary"`
	Description   string   `json:"description"`
	Tags          []string `json:"tags"`
	Labels        []string `json:"labels"`
	ReleaseStatus string   `json:"release_status"`
	StatusNote    string   `json:"status_note"`
	Contributors  []struct {
		Name        string   `json:"name"`
		FormerUUIDs []string `json:"former_uuids"`
	} `json:"contributors"`
	Texts map[string]struct {
		Title       string `json:"title"`
		Subtitle    string `json:"subtitle"`
		Summary     string `json:"summary"`
		Description string `json:"description"`
		StatusNote  string `json:"status_note"`
	} `json:"texts"`
	Dates []struct {
		ReleaseStatus string `json:"release_status"`
		Hours         struct {
			Weekly  []json.RawMessage `json:"weekly"`
			Special []json.RawMessage `json:"special"`
		} `json:"hours"`
	} `json:"dates"`
}

// estimateOf returns what a change takes. An event that cannot be read weighs as much as its
// message.
func estimateOf(c change.Change, message []byte) estimate {
	size := len(message)
	switch {
	case c.Kind != change.KindEvent:
		return estimate{weight: size}
	case c.Gone():
		return estimate{weight: size, urgent: true}
	case size <= certainlySmall:
		dates := bytes.Count(c.Snapshot, []byte(`"start_date":`))
		return estimate{weight: size + dates*(weightOfDate+2*max(size-dates*leastDate, 0)), urgent: takesBack(c.Snapshot)}
	}
	var s sketch
	if json.Unmarshal(c.Snapshot, &s) != nil {
		return estimate{weight: size}
	}
	return s.estimate(size)
}

func (s *sketch) estimate(size int) estimate {
	each := weightOfDate + weightOfTitle*len(s.Title) + 2*len(s.Subtitle) + 2*len(s.Summary) + len(s.Description) + len(s.StatusNote)
	for _, text := range s.Texts {
		each += weightOfTitle*len(text.Title) + 2*len(text.Subtitle) + 2*len(text.Summary) + len(text.Description) + len(text.StatusNote)
	}
	for _, tag := range s.Tags {
		each += 4 * len(tag) // as words, as a key, spelled, and shown
	}
	for _, label := range s.Labels {
		each += 2 * len(label)
	}
	for _, named := range s.Contributors {
		each += len(named.Name) + 40*(1+len(named.FormerUUIDs))
	}
	found := estimate{weight: size + each*len(s.Dates), urgent: altered(s.ReleaseStatus)}
	for _, date := range s.Dates {
		found.urgent = found.urgent || altered(date.ReleaseStatus)
		if len(date.Hours.Weekly)+len(date.Hours.Special) > 0 {
			found.weight += weightOfHours
		}
	}
	return found
}

// alterations are the statuses of what does not take place as planned.
var alterations = []string{"cancelled", "deferred", "rescheduled"}

func altered(status string) bool {
	for _, alteration := range alterations {
		if status == alteration {
			return true
		}
	}
	return false
}

// takesBack reports whether an event or one of its dates does not take place as planned. Quotation
// marks within texts are escaped.
func takesBack(snapshot []byte) bool {
	for _, alteration := range alterations {
		if bytes.Contains(snapshot, []byte(`"release_status":"`+alteration+`"`)) {
			return true
		}
	}
	return false
}

// laneOf returns the organization of a change, or its kind where no organization is found. Only the
// order of the work depends on it.
func laneOf(c change.Change) string {
	const uuid, begin = 36, `"organization":{"uuid":"`
	if c.Kind == change.KindOrganization {
		return c.ID
	}
	if at := bytes.Index(c.Snapshot, []byte(begin)); at >= 0 {
		if rest := c.Snapshot[at+len(begin):]; len(rest) >= uuid {
			return string(rest[:uuid])
		}
	}
	return string(c.Kind)
}
