package eventfile

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
)

// repeated joins so many texts.
func repeated(n int, text func(i int) string) string {
	var all strings.Builder
	for i := range n {
		all.WriteString(text(i))
	}
	return all.String()
}

func calendarOf(components string) string {
	return strings.ReplaceAll("BEGIN:VCALENDAR\n"+components+"END:VCALENDAR\n", "\n", "\r\n")
}

func eventOf(uid, lines string) string {
	return "BEGIN:VEVENT\nUID:" + uid + "\nSUMMARY:x\n" + lines + "\nEND:VEVENT\n"
}

// zonesOf are time zones of 100 observances with a rule, each with an event.
func zonesOf(n int, rule string) string {
	observance := "BEGIN:STANDARD\nDTSTART:19700101T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;" + rule + "\nEND:STANDARD\n"
	return calendarOf(repeated(n, func(i int) string {
		return fmt.Sprintf("BEGIN:VTIMEZONE\nTZID:z%d\n%sEND:VTIMEZONE\n", i, strings.Repeat(observance, 100)) +
			eventOf(fmt.Sprint(i), fmt.Sprintf("DTSTART;TZID=z%d:20270101T200000", i))
	}))
}

func rulesOf(n int, lines string) string {
	return calendarOf(repeated(n, func(i int) string { return eventOf(fmt.Sprint(i), "DTSTART:19000101T200000\n"+lines) }))
}

func list(n int, item string) string { return "[" + strings.Repeat(item+",", n) + "0]" }

// hostileFiles are short files that describe much work, with the part at which reading stops; ""
// for ones that are read, or refused for another reason.
func hostileFiles() map[string]struct{ text, stopsAt string } {
	never, positions := "BYMONTH=2;BYMONTHDAY=30", "BYWEEKNO=53;BYDAY=MO;BYSETPOS=366"
	place := `{"@id":"p","sameAs":` + list(1_000, `"x"`) + `,"openingHoursSpecification":` + list(1_000, `{"opens":"10:00","closes":"12:00"}`) + "}"
	refers := func(i int) string {
		return fmt.Sprintf(`{"@type":"Event","name":"e%d","startDate":"2027-01-01","location":%s,"performer":%[2]s},`, i, list(30, `{"@id":"p"}`))
	}
	scheduled := `{"startDate":"1900-01-01","repeatFrequency":"P1D","byMonth":2,"byMonthDay":30,"endDate":"2999-01-01"}`
	day := "19.12.2027 - 20 bis 1" // not one
	return map[string]struct{ text, stopsAt string }{
		"a zone that never changes":   {zonesOf(1, never), ""},
		"zones that never change":     {zonesOf(100, never), "TZID z"},
		"zones without a month":       {zonesOf(100, positions), "TZID z"},
		"zones that change every day": {zonesOf(100, "BYDAY=MO,TU,WE,TH,FR,SA,SU"), ""},
		"zones that change each year": {zonesOf(100, "BYMONTH=10;BYDAY=-1SU"), "TZID z"},
		"a rule that never comes":     {rulesOf(1, "RRULE:FREQ=DAILY;COUNT=5;"+never), ""},
		"a week that never comes":     {rulesOf(1, "RRULE:FREQ=YEARLY;COUNT=5;"+positions), ""},
		"rules that never come":       {rulesOf(2_000, "RRULE:FREQ=DAILY;COUNT=5;"+never), "VEVENT "},
		"weeks that never come":       {rulesOf(2_000, "RRULE:FREQ=WEEKLY;COUNT=5;BYDAY=SU,MO;BYSETPOS=3,4,5,6,7,8,9"), "VEVENT "},
		"lists without days":          {rulesOf(1_900, "EXDATE:"+strings.Repeat(",", 2_000)), "VEVENT "},
		"quotes that do not end":      {"Titel;Datum\n" + strings.Repeat("\"a\n", 1_990) + strings.Repeat("x", maxRecord), ""},
		"columns that may be days": {
			strings.Repeat("x;", 98) + "x\n" + strings.Repeat(strings.Repeat("1.1.2027;", 78)+strings.Repeat(day+";", 20)+"x\n", 1_900), "the columns",
		},
		"schedules that never come": {page(list(1_900, `{"@type":"Event","name":"e","eventSchedule":`+scheduled+"}")), "event e"},
		"references":                {page("[" + repeated(1_900, refers) + place + "]"), "event e"},
		"small objects":             {page(`{"@type":"Event","name":"e","x":` + list(600_000, `{"a":0}`) + "}"), "the JSON-LD"},
		"numbers":                   {page(`{"@type":"Event","name":"e","x":` + list(2_500_000, "0") + "}"), "the JSON-LD"},
		"a tag of attributes":       {"<html><a " + strings.Repeat("a ", 2_500_000) + ">", "a tag of the page"},
		"scripts":                   {"<html>" + strings.Repeat(`<script type="application/ld+json">{</script>`, 100_000), ""},
	}
}

// TestHostileFilesTakeLittleWork: not more than a few seconds for each MB even on a busy machine,
// and little memory; the fault names where reading stopped.
func TestHostileFilesTakeLittleWork(t *testing.T) {
	for name, test := range hostileFiles() {
		t.Run(name, func(t *testing.T) {
			before, made := spentTime(t), allocated()
			_, err := Read(t.Context(), []byte(test.text), Options{Until: "2028-01-01"})
			spent, made := spentTime(t)-before, allocated()-made
			t.Logf("%d kB: %s, %d MB allocated: %v", len(test.text)>>10, spent.Round(time.Millisecond), made>>20, err)
			most := 3*time.Second + time.Duration(len(test.text))*3*time.Microsecond
			if spent > most || made > 256<<20 {
				t.Errorf("takes %s of at most %s, and %d MB", spent, most, made>>20)
			}
			stopped := ""
			if err != nil {
				if v := fault.Of(err).Violations; len(v) == 1 && v[0].Code == "too_much_work" && fault.Is(err, fault.TooLarge) {
					stopped = fmt.Sprint(v[0].Params["part"])
				}
			}
			if !strings.HasPrefix(stopped, test.stopsAt) || (stopped == "") != (test.stopsAt == "") {
				t.Errorf("stopped at %q: %v", stopped, err)
			}
		})
	}
}

// spentTime returns the time that this process has computed.
func spentTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// TestReadingEndsWithItsRequest in every format.
func TestReadingEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(t.Context())
	end()
	for name, text := range map[string]string{
		"a calendar": rulesOf(2, "RRULE:FREQ=DAILY;COUNT=5"), "a table": "Titel;Datum\nJazz;24.12.2026\n",
		"a page":     page(`{"@type": "Event", "name": "Jazz", "startDate": "2027-01-01"}`),
		"a workbook": string(sheeted(t, `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>`)),
	} {
		if _, err := Read(ended, []byte(text), Options{}); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEventsOfOneIDAreCounted as their dates are read: many rules of one event are no more than a
// file may have.
func TestEventsOfOneIDAreCounted(t *testing.T) {
	t.Parallel()
	text := calendarOf(strings.Repeat(eventOf("a", "DTSTART:20270101T200000\nRRULE:FREQ=DAILY;COUNT=1000"), 2_000))
	if _, err := Read(t.Context(), []byte(text), Options{}); !fault.Is(err, fault.TooLarge) {
		t.Error(err)
	}
	parts := bySeries(nil)
	for range 2_000 {
		e := newCalendarEvent(component{lines: []string{"DTSTART:20270101T200000", "RRULE:FREQ=DAILY;COUNT=1000"}}, 1)
		e.zones = readZones("", newWork(t.Context(), 0))
		parts = append(parts[:0], series{append(append([]*calendarEvent{}, allParts(parts)...), &e)})
	}
	if count := parts[0].readDates("", 5_000); count != 6_000 {
		t.Errorf("%d dates were read", count)
	}
}

func allParts(all []series) (parts []*calendarEvent) {
	for _, s := range all {
		parts = append(parts, s.parts...)
	}
	return parts
}

// TestKnownZonesAreNotDefined by a file that gives them rules of its own.
func TestKnownZonesAreNotDefined(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(zonesOf(1, "BYMONTH=1"), "z0", "Europe/Berlin")
	file, err := Read(t.Context(), []byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if at := file.Events[0].Dates[0].Start.In(time.UTC).String(); at != "2027-01-01T19:00" {
		t.Errorf("begins at %s", at)
	}
}

// TestReasonsOfAnEventAreFew: a list of values of which none can be read has not a reason for each.
func TestReasonsOfAnEventAreFew(t *testing.T) {
	t.Parallel()
	file, err := Read(t.Context(), []byte(rulesOf(1, "RDATE:"+strings.Repeat("x,", 900)+"x")), Options{})
	if err != nil || len(file.Events[0].Reasons) != maxReasons {
		t.Errorf("%d reasons, %v", len(file.Events[0].Reasons), err)
	}
}
