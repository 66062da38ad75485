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
		key, digest, _ := strings.Cut(field, "~")
		digests[key] = digest
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

// with returns the digests with those of some values in their place.
func (d seen) with(values Values, keys []string) seen {
	changed := maps.Clone(d)
	for _, key := range keys {
		changed[key] = digest(values[key])
	}
	return changed
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

// takeTheirs puts what is stored in the place of what the form says in these fields: in all of them
// where they say something only together.
func (s *save) takeTheirs(errors view.Errors) {
	if !s.taken() {
		return
	}
	keys := strings.Split(s.Form.Get("theirs"), ",")
	if s.part.Together {
		keys = slices.Collect(maps.Keys(s.body))
	}
	for _, key := range keys {
		if _, known := s.body[key]; known {
			s.body[key] = s.stored.decoded(key)
			delete(errors, key)
		}
	}
}

// changed returns the keys of the fields that the person has changed: all of them where they say
// something only together.
func (s *save) changed() []string {
	keys := s.seen.changed(s.said)
	if s.part.Together && len(keys) > 0 {
		return slices.Sorted(maps.Keys(s.said))
	}
	return keys
}

// disputed returns the keys of the fields that the person and others have changed differently.
func (s *save) disputed() (keys []string) {
	for _, key := range s.mine {
		if digest(s.stored[key]) != s.seen[key] && !same(s.stored[key], s.said[key]) {
			keys = append(keys, key)
		}
	}
	return keys
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
