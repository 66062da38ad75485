package venue

import (
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/view"
)

// spaceNames are the labels of the form that adds a space.
func (v venue) spaceNames() map[string]string {
	names := map[string]string{}
	for _, f := range newSpace.fields {
		names["new_"+f.key] = v.Text.T("space." + f.key)
	}
	return names
}

// spaceField returns a field of the form that adds a space. Its id is not that of the venue's
// field.
func (v venue) spaceField(f field) view.Field {
	drawn := view.Field{
		ID: "new_" + f.key, Name: f.key, Label: v.Text.T("space." + f.key), Value: v.space.Get(f.key), Error: v.errors[f.key], Max: f.max,
		Required: f.required, Content: f.kind == line,
	}
	if f.kind == number {
		drawn.Inputmode = "numeric"
	}
	return drawn
}

// day writes when another organization's date takes place.
func (v venue) day(g adminapi.GuestDate) string {
	day, err := time.Parse(time.DateOnly, g.StartDate)
	if err != nil {
		return g.StartDate
	}
	if g.StartTime == "" {
		return v.Text.Day(day)
	}
	return v.Text.Day(day) + ", " + v.Text.Clock(string(g.StartTime))
}
