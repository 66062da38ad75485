package value

import "time"

// LocalTime returns the moment of a local time, a day YYYY-MM-DD and a time HH:MM, as RFC 5545,
// 3.3.5 reads it: one that a clock change skips has the offset from UTC before the change, and of
// two with the same name it is the first.
func LocalTime(day, clock string, zone *time.Location) (time.Time, error) {
	wall, err := time.Parse(time.DateOnly+" 15:04", day+" "+clock)
	if err != nil {
		return time.Time{}, err
	}
	at := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), 0, 0, zone)
	_, offset := at.Zone()
	switch shown := at.Add(time.Duration(offset) * time.Second).UTC(); {
	case shown.Before(wall): // skipped, and the moment is before the change
		return wall.Add(-time.Duration(offset) * time.Second).In(zone), nil
	case shown.Equal(wall):
		onset, _ := at.ZoneBounds()
		_, former := onset.Add(-time.Second).Zone()
		if first := wall.Add(-time.Duration(former) * time.Second); !onset.IsZero() && first.Before(onset) {
			return first.In(zone), nil
		}
	}
	return at, nil
}
