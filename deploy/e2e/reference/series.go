package reference

import (
	"slices"
	"strings"
)

// Series is a line of kind "series".
type Series struct {
	UUID    string `json:"uuid"`
	OrgUUID string `json:"org_uuid"`
	Slug    string `json:"slug"`
	Title   string `json:"title"`
	Public  bool   `json:"public"`
	Parts   []Part `json:"parts"`
}

// Part is a part of a series.
type Part struct {
	UUID        string `json:"uuid"`
	Kind        string `json:"kind"`
	Title       string `json:"title"`
	Description Text   `json:"description"`
}

// Member is a series of an event, in the state asked, accepted or refused.
type Member struct {
	SeriesUUID string `json:"series_uuid"`
	State      string `json:"state"`
}

// seriesOf returns the series that an event belongs to, as far as the public sees them.
func (r *Reference) seriesOf(e *Event) (of []*Series) {
	for _, member := range e.Series {
		if s := r.series[member.SeriesUUID]; s != nil && s.Public && member.State == "accepted" {
			of = append(of, s)
		}
	}
	return of
}

// seriesUUIDs returns the series of a date.
func (r *Reference) seriesUUIDs(d *Dated) (uuids []string) {
	for _, s := range r.seriesOf(d.Event) {
		uuids = append(uuids, s.UUID)
	}
	return uuids
}

// partOf returns the part in which a date takes place, if it is one of a series that is shown.
func (r *Reference) partOf(d *Dated) Text {
	for _, s := range r.seriesOf(d.Event) {
		if slices.ContainsFunc(s.Parts, func(p Part) bool { return p.UUID == string(d.Date.SeriesPart) }) {
			return d.Date.SeriesPart
		}
	}
	return ""
}

// inSeries finds the dates of series, and of parts.
func (r *Reference) inSeries(value string) filter {
	wanted := strings.Split(value, ",")
	return func(d *Dated) bool {
		return slices.Contains(wanted, string(r.partOf(d))) ||
			slices.ContainsFunc(r.seriesUUIDs(d), func(uuid string) bool { return slices.Contains(wanted, uuid) })
	}
}

// BySeries returns the series of dates, each at the place of its first one, and the dates of none
// as they are. A date counts for the first of its series.
func (r *Reference) BySeries(dates []*Dated) []Group {
	return grouped(dates, func(d *Dated) string {
		if series := r.seriesUUIDs(d); len(series) > 0 {
			return series[0]
		}
		return d.Date.UUID
	})
}
