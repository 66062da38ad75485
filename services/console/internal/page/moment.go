package page

import "time"

// Moment writes a moment as the day and the time of the clock in the console's zone.
func (r *Request) Moment(at time.Time) string {
	at = at.In(r.deps.Zone)
	return r.Text.Day(at) + ", " + r.Text.Clock(at.Format("15:04"))
}
