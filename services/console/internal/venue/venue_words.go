package venue

import (
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/entity"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// spaceNames are the labels of the form that adds a space.
func (v venue) spaceNames() map[string]string {
	names := map[string]string{}
	for _, f := range newSpace.Fields {
		names["new_"+f.Key] = v.Text.T("space." + f.Key)
	}
	return names
}

// spaceField returns a field of the form that adds a space. Its id is not that of the venue's
// field.
func (v venue) spaceField(f entity.Field) view.Field {
	drawn := f.View()
	drawn.ID, drawn.Label, drawn.Value, drawn.Error = "new_"+f.Key, v.Text.T("space."+f.Key), v.space.Get(f.Key), v.errors[f.Key]
	return drawn
}

// day writes when another organization's date takes place.
func (v venue) day(g adminapi.GuestDate) string {
	if g.StartTime == "" {
		return dayOf(v.Text, g.StartDate)
	}
	return dayOf(v.Text, g.StartDate) + ", " + v.Text.Clock(string(g.StartTime))
}

// dayOf writes a day of the API.
func dayOf(t *text.Texts, date string) string {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return t.Day(day)
}
