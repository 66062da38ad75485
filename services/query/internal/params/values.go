package params

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/spelling"
	"litfass/pkg/contracts/value"
)

// Integer reads a whole number above 0, in plain digits.
func Integer(text string) (n int, ok bool) { return integer(text, 1, maxID) }

// integer reads a whole number from low to high, in plain digits.
func integer(text string, low, high int) (n int, ok bool) {
	if text == "" || len(text) > 10 || strings.ContainsFunc(text, func(c rune) bool { return c < '0' || c > '9' }) {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && low <= n && n <= high
}

func (r *reader) integers(items []string, low, high int) []int {
	numbers := make([]int, 0, len(items))
	for _, item := range items {
		n, ok := integer(item, low, high)
		if !ok {
			r.bad(reason.ItemNotIntegerBetween(shortened(item), low, high))
			return nil
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// shortened returns an item as a reason repeats it.
func shortened(item string) reason.Quoted { return reason.Quoted(spelling.Shorten(item)) }

// number reads a single whole number.
func (r *reader) number(text string, low, high int) int {
	n, ok := integer(text, low, high)
	if !ok {
		r.bad(reason.NotIntegerBetween(low, high))
	}
	return n
}

// decimals is the format of decimal numbers. Programs write very small ones with an exponent.
var decimals = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$`)

func parseDecimal(text string, low, high float64) (n float64, ok bool) {
	if !decimals.MatchString(text) {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n + 0, err == nil && low <= n && n <= high // -0 becomes 0: they are written alike
}

func (r *reader) decimal(text string, low, high float64) float64 {
	n, ok := parseDecimal(text, low, high)
	if !ok {
		r.bad(reason.NotNumberBetween(low, high))
	}
	return n
}

// uuids reads UUIDv7 values in their usual form of 36 characters; other versions are violations.
func (r *reader) uuids(items []string) []string {
	ids := make([]string, 0, len(items))
	for _, item := range items {
		id, ok := value.UUIDv7(item)
		if !ok {
			r.bad(reason.ItemNotUUID(shortened(item)))
			return nil
		}
		ids = append(ids, id)
	}
	return ids
}

func (r *reader) ongoing(text string) { r.query.Ongoing = r.boolean(text) }

func (r *reader) available(text string) { r.query.Available = r.boolean(text) }

func (r *reader) notOver(text string) { r.query.NotOver = r.boolean(text) }

func (r *reader) total(text string) { r.query.Total = r.boolean(text) }

func (r *reader) boolean(text string) bool {
	if text != "true" && text != "false" {
		r.bad(reason.NotBoolean)
	}
	return text == "true"
}

// time reads two times, separated by a comma or a hyphen; the second may be the end of the day.
func (r *reader) time(text string) {
	from, to, ok := cutTwo(text, ",-")
	if ok {
		var times TimeRange
		var fromOK, toOK bool
		times.From, fromOK = minute(from)
		times.To, toOK = lastMinute(to)
		r.query.Time = &times
		ok = fromOK && toOK
	}
	if !ok {
		r.bad(reason.NotTimes)
	}
}

const minutesADay = 24 * 60

// minute reads H, HH or HHMM as a minute of the day.
func minute(text string) (of int, ok bool) {
	hours, minutes := text, "0"
	if len(text) == 4 {
		hours, minutes = text[:2], text[2:]
	}
	h, hOK := integer(hours, 0, 23)
	m, mOK := integer(minutes, 0, 59)
	return h*60 + m, hOK && mOK && len(hours) <= 2
}

// lastMinute is minute for the end of a range, where 24 and 2400 mean the end of the day.
func lastMinute(text string) (of int, ok bool) {
	if text == "24" || text == "2400" {
		return minutesADay - 1, true
	}
	return minute(text)
}

// cutTwo splits text at the only one of the separators in it.
func cutTwo(text, separators string) (before, after string, ok bool) {
	at := strings.IndexAny(text, separators)
	if at < 0 || at != strings.LastIndexAny(text, separators) {
		return "", "", false
	}
	return text[:at], text[at+1:], true
}

// maxAge is below document.MaxAge, which means "no upper bound" in the index.
const maxAge = 999

// age reads one age, or two separated by a comma.
func (r *reader) age(text string) {
	from, to, two := cutTwo(text, ",")
	if !two {
		from, to = text, text
	}
	low, lowOK := integer(from, 0, maxAge)
	high, highOK := integer(to, 0, maxAge)
	if !lowOK || !highOK || low > high {
		r.bad(reason.NotAge(maxAge))
		return
	}
	r.query.Age = &AgeRange{From: low, To: high}
}

// maxAmount is the greatest valid price.
const maxAmount = 1e12

// price reads free, donation, or amount,currency.
func (r *reader) price(text string) {
	if text == "free" || text == "donation" {
		r.query.Price = &Price{Type: text}
		return
	}
	before, after, two := cutTwo(text, ",")
	amount, amountOK := parseDecimal(before, 0, maxAmount)
	currency, currencyOK := code(after)
	if !two || !amountOK || !currencyOK {
		r.bad(reason.NotPrice)
		return
	}
	r.query.Price = &Price{Amount: amount, Currency: currency}
}

func (r *reader) sort(text string) {
	r.query.Sort = Sort(text)
	orders := []string{string(SortByStart), string(SortByChange), string(SortByList)}
	if !slices.Contains(orders, text) {
		r.bad(reason.NotOneOf(orders))
	}
}

func (r *reader) group(text string) {
	switch text {
	case "event":
		r.query.Grouped = true
	case "series":
		r.query.BySeries = true
	default:
		r.bad(reason.NotOneOf([]string{"event", "series"}))
	}
}

// cursorStart reads the last_event_start_at of an answer, YYYY-MM-DDTHH:MM.
func (r *reader) cursorStart(text string) {
	moment, err := time.Parse("2006-01-02T15:04", text)
	if err != nil || len(text) != len("2006-01-02T15:04") {
		r.bad(reason.NotCursor)
		return
	}
	r.cursor.StartKey = int64(DayOf(moment))*10000 + int64(moment.Hour()*100+moment.Minute())
}

func (r *reader) cursorUUID(text string) {
	id, ok := value.UUIDv7(text)
	if !ok {
		r.bad(reason.NotUUID)
		return
	}
	r.cursor.DateUUID = id
}

// box reads four degrees, separated by commas: west, south, east and north (RFC 7946, 5).
func (r *reader) box(text string) {
	parts := strings.Split(text, ",")
	if len(parts) != 4 {
		r.badBox()
		return
	}
	var degrees [4]float64
	for i, part := range parts {
		most := 180.0
		if i%2 == 1 {
			most = 90
		}
		n, ok := parseDecimal(part, -most, most)
		if !ok {
			r.badBox()
			return
		}
		degrees[i] = n
	}
	b := Box{West: degrees[0], South: degrees[1], East: degrees[2], North: degrees[3]}
	if b.South > b.North {
		r.badBox()
		return
	}
	r.query.Box = &b
}

func (r *reader) badBox() {
	r.bad(reason.NotBox)
}
