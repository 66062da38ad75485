package eventfile

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/chassis/fault/reason"
)

// rangeSigns stand between the days of a range. The longer ones come first.
var rangeSigns = []string{" – ", " — ", " - ", " bis ", " to ", " til ", "–", "—", "-"}

// The first day of a range without its year, or also without its month.
var (
	dayOfMonth   = regexp.MustCompile(`^(\d{1,2})\.?$`)
	pointedStart = regexp.MustCompile(`^\d{1,2}\.\s?\d{1,2}\.?$`)
	slashedStart = regexp.MustCompile(`^\d{1,2}/\d{1,2}$`)
	spokenStart  = regexp.MustCompile(`^\d{1,2}\.?\s+\p{L}{3,10}\.?$`)
)

// readDays reads a day as readDay does, or a range of days such as 1.6. - 14.6.2027. end is the
// zero Moment for a single day.
func readDays(text, order string) (start, end Moment, why *reason.Reason) {
	if start, why = readDay(text, order); why == nil {
		return start, end, nil
	}
	for _, sign := range rangeSigns {
		first, last, found := strings.Cut(text, sign)
		if !found {
			continue
		}
		end, wrong := readDay(strings.TrimSpace(last), order)
		if wrong != nil {
			continue
		}
		if start, wrong := readStart(withoutWeekday(strings.TrimSpace(first)), order, end); wrong == nil {
			return start, end, nil
		}
	}
	return start, end, why
}

// readStart reads the first day of a range. What it lacks, it has in common with the last one;
// 28.12. before 3.1.2028 is of the year before.
func readStart(text, order string, end Moment) (Moment, *reason.Reason) {
	year, month := end.Day[:4], end.Day[5:7]
	written := text
	switch {
	case dayOfMonth.MatchString(text):
		written = strings.TrimSuffix(text, ".") + "." + month + "." + year
	case pointedStart.MatchString(text):
		written = strings.TrimSuffix(text, ".") + "." + year
	case slashedStart.MatchString(text):
		written = text + "/" + year
	case spokenStart.MatchString(text):
		written = text + " " + year
	}
	start, why := readDay(written, order)
	if why != nil || written == text || start.Day <= end.Day || dayOfMonth.MatchString(text) {
		return start, why
	}
	day, err := time.Parse(time.DateOnly, start.Day)
	if err != nil {
		return start, reason.NotWrittenDate(shorten(text))
	}
	start.Day = day.AddDate(-1, 0, 0).Format(time.DateOnly)
	return start, nil
}

// serialDay is a day as spreadsheets store it: the number of days since 1899-12-30, with the time
// as a fraction.
var serialDay = regexp.MustCompile(`^\d{5}(?:[.,]\d+)?$`)

// The serial days that are read: 1990 to 2099.
const minSerial, maxSerial = 32_874, 73_050

func readSerial(text string) (m Moment, ok bool) {
	if !serialDay.MatchString(text) {
		return m, false
	}
	number, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil || number < minSerial || number >= maxSerial+1 {
		return m, false
	}
	minutes := math.Round(number * 24 * 60)
	at := time.Date(1899, 12, 30, 0, int(minutes), 0, 0, time.UTC)
	m.Day = at.Format(time.DateOnly)
	if len(text) > 5 {
		m.Clock = at.Format("15:04")
	}
	return m, true
}

// serialClock is a time as spreadsheets store it, the fraction of a day. One with two digits may
// also be a time such as 0.30.
var serialClock = regexp.MustCompile(`^(?:0|0?[.,]\d+)$`)

const surelySerial = len("0.123")

// readFraction reads a time of a row whose day is a serial one or not.
func readFraction(text string, serial bool) (clock string, ok bool) {
	if !serialClock.MatchString(text) || !serial && len(text) < surelySerial {
		return "", false
	}
	number, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil {
		return "", false
	}
	at := time.Date(2000, 1, 1, 0, int(math.Round(number*24*60)), 0, 0, time.UTC)
	return at.Format("15:04"), true
}
