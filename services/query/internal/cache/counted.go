package cache

import "iter"

// counted are changes of dates that are counted as one: a single date, or all dates of an event.
type counted []*Change

// counted returns the changed dates, each as one, or with grouped the events of these.
func (b *Batch) counted(grouped bool) iter.Seq[counted] {
	return func(yield func(counted) bool) {
		for i := range b.found {
			if !grouped && !yield(counted{&b.found[i]}) {
				return
			}
		}
		for i := range b.events {
			if grouped && b.events[i].changed && !yield(b.events[i].dates) {
				return
			}
		}
	}
}

// found returns the dates that criteria find before and after the changes.
func (c counted) found(by Criteria) (before, after []*Document) {
	for _, change := range c {
		if by.mayFind(change.before) {
			before = append(before, change.before)
		}
		if by.mayFind(change.after) {
			after = append(after, change.after)
		}
	}
	return before, after
}

// event is an event of which a batch changed a date.
type event struct {
	uuid    string
	dates   counted // all of them
	changed bool    // searches find a date otherwise than before
}

// eventsOf returns the events of changes. The first ones change what searches find.
func eventsOf(all []Change, changed int) []event {
	var events []event
	known := map[string]int{} // index in events
	for i := range all {
		d := all[i].after
		if d == nil {
			d = all[i].before
		}
		if d == nil {
			continue
		}
		uuid := d.text(EventAttribute)
		at, found := known[uuid]
		if !found {
			at = len(events)
			known[uuid] = at
			events = append(events, event{uuid: uuid})
		}
		events[at].dates = append(events[at].dates, &all[i])
		events[at].changed = events[at].changed || i < changed
	}
	return events
}
