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

// found returns the dates that criteria find before and after the changes. known is false if only
// the engine knows whether its words find one of them.
func (c counted) found(by Criteria) (before, after []*Document, known bool) {
	for _, change := range c {
		for _, side := range []struct {
			date  *Document
			found *[]*Document
		}{{change.before, &before}, {change.after, &after}} {
			switch {
			case !by.mayFind(side.date):
			case len(by.words) > 0 && !by.finds(side.date):
				return nil, nil, false
			default:
				*side.found = append(*side.found, side.date)
			}
		}
	}
	return before, after, true
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
