package generate

import (
	"cmp"
	"slices"

	"litfass/deploy/e2e/reference"
)

var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// hours returns opening hours of a period that begins on a day, in their stored form: some past
// midnight, twice a day or only on special days, some closed for weeks.
func (b *builder) hours(start string) *reference.Hours {
	h := &reference.Hours{Weekly: []reference.WeeklyHours{}, Closed: []reference.ClosedDays{}, Special: []reference.SpecialHours{}}
	for _, day := range weekdays {
		for _, times := range b.openings(b.chance(60)) {
			h.Weekly = append(h.Weekly, reference.WeeklyHours{Day: day, From: times[0], To: times[1]})
		}
	}
	if b.chance(15) {
		h.Weekly = []reference.WeeklyHours{}
	}
	for range b.between(0, 3) {
		from := shifted(start, b.between(-5, 80))
		h.Closed = append(h.Closed, reference.ClosedDays{From: from, To: shifted(from, pick(b.random, []int{0, 0, 1, 6, 20}))})
	}
	days := map[string]bool{}
	for n := b.between(0, 3); n > 0 || len(h.Weekly)+len(h.Special) == 0; n-- {
		day := shifted(start, b.between(-5, 80))
		if days[day] {
			continue
		}
		days[day] = true
		for _, times := range b.openings(true) {
			h.Special = append(h.Special, reference.SpecialHours{Date: day, From: times[0], To: times[1], Note: b.note()})
		}
	}
	slices.SortStableFunc(h.Closed, func(x, y reference.ClosedDays) int {
		return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To))
	})
	slices.SortStableFunc(h.Special, func(x, y reference.SpecialHours) int {
		return cmp.Or(cmp.Compare(x.Date, y.Date), cmp.Compare(x.From, y.From))
	})
	return h
}

// openings returns the times of a day, none if it is closed.
func (b *builder) openings(open bool) [][2]string {
	switch {
	case !open:
		return nil
	case b.chance(20):
		return [][2]string{{"10:00", "12:30"}, {"14:00", "18:00"}}
	case b.chance(15):
		return [][2]string{{"20:00", pick(b.random, []string{"02:00", "00:00", "04:30"})}}
	case b.chance(5):
		return [][2]string{{"00:00", "00:00"}}
	default:
		return [][2]string{{pick(b.random, []string{"09:00", "10:00", "11:15"}), pick(b.random, []string{"17:00", "18:00", "23:59"})}}
	}
}

func (b *builder) note() reference.Text {
	if !b.chance(30) {
		return ""
	}
	return reference.Text(pick(b.random, []string{"Christmas Eve", "<b>Museumsnacht</b>", "Jul & nytår"}))
}
