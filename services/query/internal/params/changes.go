package params

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault/reason"
)

// Kind is the kind of the entities whose changes are asked for.
type Kind string

// The kinds of entities.
const (
	KindDates         Kind = "dates"
	KindEvents        Kind = "events"
	KindVenues        Kind = "venues"
	KindOrganizations Kind = "organizations"
	KindContributors  Kind = "contributors"
	KindSeries        Kind = "series"
)

// Kinds lists every kind.
var Kinds = []string{string(KindDates), string(KindEvents), string(KindVenues), string(KindOrganizations), string(KindContributors), string(KindSeries)}

// ChangesIn returns the operation that a request for changes is for, by the kind in its query
// string; that of dates for one without a valid kind.
func ChangesIn(rawQuery string) Operation {
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return Changes
	}
	switch Kind(values.Get("kind")) {
	case KindVenues:
		return VenueChanges
	case KindOrganizations, KindContributors, KindSeries:
		return OrganizationChanges
	default:
		return Changes
	}
}

func (r *reader) kind(text string) {
	for _, kind := range Kinds {
		if text == kind {
			r.query.Kind = Kind(text)
			return
		}
	}
	r.bad(reason.NotOneOf(Kinds))
}

// Position is a place in the order of all changes: the sequence of one on a stream.
type Position struct {
	Stream   string // Mark of its identity
	Sequence uint64
}

// markBytes is the length of a mark.
const markBytes = 4

// Mark returns the short form of the identity of a stream.
func Mark(identity string) string {
	sum := sha256.Sum256([]byte(identity))
	return hex.EncodeToString(sum[:markBytes])
}

// String returns the position as clients get it.
func (p Position) String() string { return fmt.Sprintf("%s-%d", p.Stream, p.Sequence) }

// ParsePosition reads the text of a position.
func ParsePosition(text string) (p Position, ok bool) {
	mark, digits, found := strings.Cut(text, "-")
	if raw, err := hex.DecodeString(mark); !found || err != nil || len(raw) != markBytes || mark != strings.ToLower(mark) {
		return Position{}, false
	}
	sequence, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || strconv.FormatUint(sequence, 10) != digits {
		return Position{}, false
	}
	return Position{Stream: mark, Sequence: sequence}, true
}

func (r *reader) changesAfter(text string) {
	position, ok := ParsePosition(text)
	if !ok {
		r.bad(reason.NotChangesPosition)
		return
	}
	r.query.Since = &position
}
