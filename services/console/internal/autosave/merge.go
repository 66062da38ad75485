package autosave

import (
	"maps"
	"slices"
	"strings"

	"litfass/services/console/internal/view"
)

// seen are the digests of the values that a form was filled with, by key. They set what the person
// has changed apart from what others have changed since.
type seen map[string]string

// seenIn reads the digests that a form sends back. A key that it does not name counts as changed by
// everybody.
func seenIn(base string) seen {
	digests := seen{}
	for field := range strings.SplitSeq(base, ".") {
		if key, digest, valid := strings.Cut(field, "~"); valid {
			digests[key] = digest
		}
	}
	return digests
}

func (d seen) String() string {
	var fields []string
	for _, key := range slices.Sorted(maps.Keys(d)) {
		fields = append(fields, key+"~"+d[key])
	}
	return strings.Join(fields, ".")
}

// changed returns the keys of values that are not as they were seen, in order.
func (d seen) changed(values Values) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if digest(values[key]) != d[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

// taken reports whether the person gives way to others in some fields.
func (s *save) taken() bool { return s.Form.Get("theirs") != "" }

// takeTheirs puts what is stored in the place of what the form says in these fields.
func (s *save) takeTheirs(errors view.Errors) {
	if !s.taken() {
		return
	}
	for _, key := range s.part.withTogether(strings.Split(s.Form.Get("theirs"), ",")) {
		if _, known := s.body[key]; known {
			s.body[key] = s.stored.decoded(key)
			delete(errors, key)
		}
	}
}

// withTogether returns keys with those that say something only together with one of them.
func (p Part) withTogether(keys []string) []string {
	together := func(key string) bool { return slices.Contains(p.Together, key) }
	if !slices.ContainsFunc(keys, together) {
		return keys
	}
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(keys, p.Together))))
}

// changed returns the keys of the form that the person has changed.
func (s *save) changed() []string {
	keys := s.part.withTogether(s.seen.changed(s.said))
	return slices.DeleteFunc(keys, func(key string) bool { return s.said[key] == nil })
}

// writes returns the keys of the fields in which the person wants something else than what is
// stored.
func (s *save) writes() (keys []string) {
	for _, key := range s.mine {
		if !same(s.stored[key], s.said[key]) {
			keys = append(keys, key)
		}
	}
	return keys
}

// disputed returns the keys of the fields that the person and others have changed differently.
func (s *save) disputed() (keys []string) {
	theirs := s.part.withTogether(s.seen.changed(s.ofPart(s.stored)))
	for _, key := range s.writes() {
		if slices.Contains(theirs, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// ofPart returns the values of the keys of the part.
func (s *save) ofPart(values Values) Values {
	own := Values{}
	for key := range s.part.Names {
		own[key] = values[key]
	}
	return own
}

// merged returns what is written: the fields that the person has changed as the form says, the
// others as they are stored.
func (s *save) merged() map[string]any {
	written := map[string]any{}
	for key := range s.body {
		written[key] = s.stored.decoded(key)
	}
	for _, key := range s.mine {
		written[key] = s.body[key]
	}
	return written
}

// base returns the digests for a form that is drawn with values: of what is stored where it shows
// that, else of what the person has seen.
func (s *save) base(values Values) string {
	digests := maps.Clone(s.seen)
	for key := range s.part.Names {
		if same(values[key], s.stored[key]) {
			digests[key] = digest(s.stored[key])
		}
	}
	return digests.String()
}
