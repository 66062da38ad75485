package cache

import (
	"maps"
	"slices"
	"strconv"
	"sync"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/document"
)

// Tally counts dates or events: all that are found, and for some attributes those with each value.
// It is the source of type summaries and facets, and a batch patches its counts.
type Tally struct {
	Criteria
	Total   int
	Grouped bool // events are counted: those with a date that is found
	Facets  []Facet
	// Version is the version of the index that was counted; nil when it stays unknown.
	Version *IndexVersion
	// Encode returns the text of the payload.
	Encode func(*Tally) ([]byte, error)

	// passed are the versions after the batches since Version, which did not change the counts.
	passed []string

	shown *shownTally // shared by copies with the same counts; nil: not yet encoded
	once  sync.Once   // of shown
}

// shownTally is the payload of counts, which is made once.
type shownTally struct {
	once    sync.Once
	payload encoded.Payload
	err     error
}

// Facet holds the counts of dates or events that are found by criteria of its own.
type Facet struct {
	Criteria
	Name       string
	Attributes []string
	Counts     []map[string]int  // by value, for each of the attributes
	Records    string            // index of the records that have the names of the values; "" for none
	Labels     map[string]string // names of the values from these records
	Translated bool              // the names are in a language, unlike those that signals have
	// Values returns the values that a date is counted by; nil for those of its attributes.
	Values func(*Document) []string
	// Merges means that the engine counts the values of events whose dates vary together with similar
	// ones.
	Merges bool
}

// countBytes is the memory of a count with its text in all encodings of the payload, approximately.
const countBytes = 2 * 48

// Size returns the bytes of the counts, the payload and the criteria.
func (t *Tally) Size() int {
	size := t.size
	for _, f := range t.Facets {
		size += f.size
		for _, counts := range f.Counts {
			for value := range counts {
				size += countBytes + 3*len(value) + len(f.Labels[value])
			}
		}
	}
	return size
}

// Payload returns the payload that shows the counts. The error is that of Encode.
func (t *Tally) Payload() (encoded.Payload, error) {
	shown := t.encoding()
	shown.once.Do(func() {
		var data []byte
		if data, shown.err = t.Encode(t); shown.err == nil {
			shown.payload = encoded.NewPayload(data)
		}
	})
	return shown.payload, shown.err
}

func (t *Tally) encoding() *shownTally {
	t.once.Do(func() {
		if t.shown == nil {
			t.shown = &shownTally{}
		}
	})
	return t.shown
}

// Apply patches the counts. It invalidates them where only the engine can count: which dates words
// find, and whether counts that were read while a batch was written include it.
func (t *Tally) Apply(batch *Batch) (Answer, Reason) {
	if batch.all {
		return nil, batch.reason
	}
	facets, renamed, known := t.rename(batch)
	version := t.Version.known(t.passed)
	switch {
	case !known:
		return nil, Written
	case version != "" && version == batch.before && batch.after != "" && (!t.Grouped || batch.whole):
		return t.count(batch, facets, renamed)
	case version != "" && version == batch.after: // counted after the batch
		return t.with(facets, renamed, t.passed)
	case t.reads(batch) && slices.ContainsFunc(batch.found, t.mayDiffer):
		return nil, Counted
	default: // of other dates
		return t.with(facets, renamed, t.pass(batch))
	}
}

// maxPassed bounds the versions that are remembered until one of them is confirmed.
const maxPassed = 64

// pass returns the versions passed after a batch that does not change the counts. The batch must
// follow the last one of them: an older batch may be among the counts.
func (t *Tally) pass(batch *Batch) []string {
	if t.Version == nil || batch.before == "" || batch.after == "" || len(t.passed) == maxPassed {
		return t.passed
	}
	last := t.Version.before
	if len(t.passed) > 0 {
		last = t.passed[len(t.passed)-1]
	}
	if last != batch.before {
		return t.passed
	}
	return append(slices.Clip(t.passed), batch.after)
}

// with returns the same counts with these facets and versions passed: the tally itself if nothing
// differs. renamed means that the facets show other names.
func (t *Tally) with(facets []Facet, renamed bool, passed []string) (Answer, Reason) {
	if !renamed && len(passed) == len(t.passed) {
		return t, ""
	}
	next := t.copy()
	next.passed = passed
	if !renamed {
		next.shown = t.encoding()
		return next, ""
	}
	next.Facets = facets
	return next, Patched
}

// compared counts the dates of the batch if the counts read an attribute that it altered.
func (t *Tally) compared(batch *Batch) int {
	switch {
	case !t.reads(batch):
		return 0
	case t.Grouped:
		return batch.changedDates
	default:
		return len(batch.found)
	}
}

// copy returns a copy that is not encoded yet.
func (t *Tally) copy() *Tally {
	return &Tally{
		Criteria: t.Criteria, Total: t.Total, Grouped: t.Grouped, Facets: slices.Clone(t.Facets), Version: t.Version, Encode: t.Encode,
		passed: t.passed,
	}
}

// rename returns the facets with the names that records have after a batch. known is false if the
// signal does not have one of them in the language of the facet.
func (t *Tally) rename(batch *Batch) (facets []Facet, renamed, known bool) {
	facets = t.Facets
	for i := range t.Facets {
		for id := range batch.records[t.Facets[i].Records] {
			label, shown := facets[i].Labels[id]
			name, named := batch.names[t.Facets[i].Records][id]
			switch {
			case !shown:
			case !named, facets[i].Translated:
				return nil, false, false
			case label != name:
				if !renamed {
					facets, renamed = slices.Clone(t.Facets), true
				}
				facets[i].Labels = maps.Clone(facets[i].Labels)
				facets[i].Labels[id] = name
			}
		}
	}
	return facets, renamed, true
}

// reads reports whether the counts read an attribute that a batch altered.
func (t *Tally) reads(batch *Batch) bool {
	return t.Criteria.reads(batch) || slices.ContainsFunc(t.Facets, func(f Facet) bool {
		return f.reads(batch) || batch.alters(f.Attributes...) || f.Values != nil && batch.alters(daysRead...) ||
			f.Merges && batch.alters(variesIn)
	})
}

// daysRead are the attributes that the days on which a date runs depend on.
var daysRead = append([]string{"start_day", "end_day"}, document.OpeningAttributes...)

// mayDiffer reports whether a count may differ after a change.
func (t *Tally) mayDiffer(c Change) bool {
	return t.mayCount(&c) || slices.ContainsFunc(t.Facets, func(f Facet) bool { return f.mayDiffer(&c) })
}

func (f *Facet) mayDiffer(c *Change) bool {
	before, after := f.mayFind(c.before), f.mayFind(c.after)
	return before != after || before && (!f.keepsFinding(c) || !f.sameValues(c))
}

// count returns a copy with these facets, in which the changes of a batch are counted. changed
// means that the facets show something else already.
func (t *Tally) count(batch *Batch, facets []Facet, changed bool) (Answer, Reason) {
	counted := t.copy()
	counted.Version, counted.passed, counted.Facets = knownVersion(batch.after), nil, slices.Clone(facets)
	if t.reads(batch) {
		differs, known := counted.add(batch, t)
		if !known {
			return nil, Counted
		}
		changed = changed || differs
	}
	if !changed {
		counted.shown = t.encoding()
		return counted, ""
	}
	return counted, Patched
}

// add counts the changes of a batch. was are the counts before it. known is false where only the
// engine can count.
func (t *Tally) add(batch *Batch, was *Tally) (changed, known bool) {
	for dates := range batch.counted(t.Grouped) {
		before, after, certain := dates.found(t.Criteria)
		if !certain && slices.ContainsFunc(dates, t.mayCount) {
			return false, false
		}
		t.Total += toInt(len(after) > 0) - toInt(len(before) > 0)
		changed = changed || t.Total != was.Total
		for n := range t.Facets {
			differs, known := t.Facets[n].count(dates, &was.Facets[n])
			if !known {
				return false, false
			}
			changed = changed || differs
		}
	}
	return changed, true
}

func toInt(found bool) int {
	if found {
		return 1
	}
	return 0
}

// count counts dates that are one, after a change instead of before it. was is the facet before the
// batch, whose counts are copied first. known is false where only the engine can count.
func (f *Facet) count(dates counted, was *Facet) (differs, known bool) {
	before, after, certain := dates.found(f.Criteria)
	if !certain {
		return false, !slices.ContainsFunc(dates, f.mayDiffer)
	}
	if f.Merges && slices.ContainsFunc(slices.Concat(before, after), (*Document).varies) {
		return true, false
	}
	for i, name := range f.Attributes {
		old, next := f.values(before, name), f.values(after, name)
		if maps.Equal(old, next) {
			continue
		}
		if !differs {
			differs = true
			if sameMaps(f.Counts, was.Counts) {
				f.Counts = cloned(f.Counts)
			}
		}
		add(f.Counts[i], old, -1)
		add(f.Counts[i], next, 1)
		for value := range next {
			if _, named := f.Labels[value]; f.Labels != nil && !named {
				return true, false
			}
		}
	}
	return differs, true
}

// sameMaps reports whether counts are those of another facet, not a copy.
func sameMaps(a, b []map[string]int) bool { return len(a) == 0 || &a[0] == &b[0] }

// values returns the values of an attribute that dates are counted by.
func (f *Facet) values(dates []*Document, name string) map[string]bool {
	all := map[string]bool{}
	for _, d := range dates {
		values := facetValues(d, name)
		if f.Values != nil {
			values = f.Values(d)
		}
		for _, value := range values {
			all[value] = true
		}
	}
	return all
}

// cloned returns a copy of counts without nil maps, which the engine returns where it counted
// nothing.
func cloned(counts []map[string]int) []map[string]int {
	clones := make([]map[string]int, len(counts))
	for i, c := range counts {
		clones[i] = make(map[string]int, len(c)+1)
		maps.Copy(clones[i], c)
	}
	return clones
}

func add(counts map[string]int, values map[string]bool, n int) {
	for value := range values {
		if counts[value] += n; counts[value] == 0 {
			delete(counts, value)
		}
	}
}

func (f *Facet) sameValues(c *Change) bool {
	if f.Values != nil {
		return slices.Equal(f.Values(c.before), f.Values(c.after))
	}
	return !slices.ContainsFunc(f.Attributes, func(name string) bool {
		return !slices.Equal(facetValues(c.before, name), facetValues(c.after, name))
	})
}

// facetValues returns the values of an attribute as the engine writes them in its counts.
func facetValues(d *Document, name string) []string {
	texts, numbers, _ := d.Values(name)
	values := slices.Clone(texts)
	for _, n := range numbers {
		values = append(values, strconv.FormatFloat(n, 'f', -1, 64))
	}
	return values
}
