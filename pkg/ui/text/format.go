package text

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Integer writes a number with the language's separator of thousands.
func (t *Texts) Integer(n int) string {
	digits := strconv.Itoa(n)
	separator := t.T("format.thousands")
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + separator + digits[i:]
	}
	return digits
}

// Day writes a day with its weekday, such as "Friday, 20 November 2026".
func (t *Texts) Day(day time.Time) string {
	return t.fill("format.day", day)
}

// ShortDay writes a day with its weekday in short, such as "Fri 20 Nov".
func (t *Texts) ShortDay(day time.Time) string {
	return t.fill("format.short_day", day)
}

// Month writes a month with its year, such as "November 2026".
func (t *Texts) Month(month time.Time) string {
	return t.fill("format.month", month)
}

// Weekday writes the name of a weekday.
func (t *Texts) Weekday(day time.Weekday) string { return t.T("weekday." + strconv.Itoa(int(day))) }

// ShortWeekday writes the name of a weekday in two or three letters.
func (t *Texts) ShortWeekday(day time.Weekday) string {
	return t.T("weekday_short." + strconv.Itoa(int(day)))
}

// ShortMonth writes the name of a month in about three letters.
func (t *Texts) ShortMonth(month time.Month) string {
	return t.T("month_short." + strconv.Itoa(int(month)))
}

// fill writes the parts of a day into a format. The format is not a template of the messages, since
// a list writes dozens of them.
func (t *Texts) fill(format string, day time.Time) string {
	return strings.NewReplacer(
		"%weekday", t.Weekday(day.Weekday()), "%wd", t.ShortWeekday(day.Weekday()),
		"%day", strconv.Itoa(day.Day()), "%month", t.T("month."+strconv.Itoa(int(day.Month()))),
		"%mon", t.ShortMonth(day.Month()), "%year", strconv.Itoa(day.Year()),
	).Replace(t.T(format))
}

// Clock writes a time of the day, or two with a dash, from the API's form "19:30" in the
// language's.
func (t *Texts) Clock(hhmm string) string {
	return strings.ReplaceAll(t.T("format.clock"), "%time", strings.ReplaceAll(hhmm, ":", t.T("format.clock_separator")))
}

// Money writes an amount with its currency, such as "12,50 €" or "130 kr.". Whole amounts have no
// cents.
func (t *Texts) Money(amount float64, currency string) string {
	text := fmt.Sprintf("%.2f", amount)
	whole, cents, _ := strings.Cut(text, ".")
	number, err := strconv.Atoi(whole)
	if err == nil {
		whole = t.Integer(number)
	}
	if cents != "00" {
		whole += t.T("format.decimal") + cents
	}
	form, name := "format.money", currency
	if sign, known := symbols[currency]; known {
		form, name = "format.money_sign", sign
	} else if id := "currency." + currency; t.Has(id) {
		name = t.T(id)
	}
	return strings.NewReplacer("%amount", whole, "%currency", name).Replace(t.T(form))
}

// symbols are the signs that readers in all languages of the site know.
var symbols = map[string]string{"EUR": "€", "USD": "$", "GBP": "£"}
