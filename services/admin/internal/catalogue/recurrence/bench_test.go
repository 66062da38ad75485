package recurrence

import "testing"

// BenchmarkExpand measures the rules that mean the most dates or the most work.
func BenchmarkExpand(b *testing.B) {
	tests := []struct {
		name string
		in   Series
	}{
		{"weekly_52", Series{StartDate: "2026-11-20", StartTime: "20:00", RRule: "FREQ=WEEKLY;COUNT=52"}},
		{"daily_1000", Series{StartDate: "2026-11-20", StartTime: "20:00", EndTime: "22:00", RRule: "FREQ=DAILY;COUNT=1000"}},
		{"monthly_setpos_1000", Series{StartDate: "2026-11-30", StartTime: "20:00",
			RRule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=1000"}},
		{"daily_1000_lists_1000", Series{StartDate: "2026-11-20", StartTime: "20:00", RRule: "FREQ=DAILY;COUNT=1000",
			RDate: days(1000)[:400], ExDate: days(1000)}},
		{"never_daily_1100_years", Series{StartDate: "1900-01-01", StartTime: "20:00", RRule: "FREQ=DAILY;COUNT=5;BYMONTH=2;BYMONTHDAY=30"}},
		{"never_yearly_1100_years", Series{StartDate: "1900-01-01", StartTime: "20:00", RRule: "FREQ=YEARLY;COUNT=5;BYMONTH=2;BYMONTHDAY=30"}},
		{"never_weekly_setpos_1100_years", Series{StartDate: "1900-01-01", StartTime: "20:00", RRule: hostileRules[16]}},
	}
	for _, test := range tests {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Expand(test.in) // the last three are refused
			}
		})
	}
}
