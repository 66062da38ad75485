package eventfile

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"

	"litfass/services/admin/internal/catalogue/recurrence"
	"litfass/services/admin/internal/platform/budget"
)

// The limits of the time zones of a calendar.
const (
	maxObservances = 100 // of a zone
	maxOnsets      = 500 // of an observance
	firstZoneYear  = 1970
	lastZoneYear   = 2100
)

// observance is a part of a VTIMEZONE: the offset that the clock has from its onsets on.
type observance struct {
	start         string // the first onset, on the wall clock before it
	before, after int    // offsets from UTC, in seconds
	rule          string
	dates         []string
	bad           bool // cannot be read
}

// The steps of a budget that a zone takes, which is sought in files, and an onset of one.
const (
	stepsOfZone  = 10_000
	stepsOfOnset = 200
)

// fileZones are the time zones of a calendar, by TZID.
type fileZones struct {
	work        *work
	observances map[string][]observance   // as the calendar defines them
	found       map[string]*time.Location // nil for one that is unknown
}

// find returns the zone of a TZID: the known zone of this name, else the zone that the file
// defines.
func (z *fileZones) find(id string) (*time.Location, bool) {
	id = strings.Trim(id, `"`)
	zone, sought := z.found[id]
	if sought {
		return zone, zone != nil
	}
	if !z.work.Spend(stepsOfZone) {
		return nil, false
	}
	zone, known := zoneOf(id)
	if defined := z.observances[id]; !known && len(defined) > 0 {
		zone = z.location(id, defined)
	}
	z.found[id] = zone
	return zone, zone != nil
}

// location makes a zone of its observances, within a budget of its own.
func (z *fileZones) location(id string, defined []observance) *time.Location {
	event := z.work.at
	if !z.work.begin("TZID " + shorten(id)) {
		return nil
	}
	zone := location(id, defined, z.work.Part(stepsOfRule))
	z.work.begin(event)
	return zone
}

// unescaped replaces the escapes that a TZID has in a definition, but not where it is used.
var unescaped = strings.NewReplacer(`\,`, ",", `\;`, ";")

// readZones reads the time zones of a calendar.
func readZones(text string, w *work) *fileZones {
	zones := &fileZones{w, map[string][]observance{}, map[string]*time.Location{}}
	var id string
	var list []observance
	var open *observance
	for line := range unfolded(text) {
		head := max(headLength(line), 0)
		name, _, _ := strings.Cut(strings.ToUpper(line[:head]), ";")
		content := strings.TrimSpace(line[min(head+1, len(line)):])
		switch block := strings.ToUpper(content); {
		case name == "BEGIN" && block == "VTIMEZONE":
			id, list = "", nil
		case name == "BEGIN" && (block == "STANDARD" || block == "DAYLIGHT"):
			open = &observance{}
		case name == "END" && open != nil:
			list, open = append(list, *open), nil
		case name == "END" && block == "VTIMEZONE":
			zones.observances[id] = list[:min(len(list), maxObservances)]
		case open != nil:
			open.read(name, content)
		case name == "TZID":
			id = unescaped.Replace(content)
		}
	}
	return zones
}

func (o *observance) read(name, content string) {
	switch name {
	case "DTSTART":
		o.start = content
	case "TZOFFSETFROM":
		o.before = o.offset(content)
	case "TZOFFSETTO":
		o.after = o.offset(content)
	case "RRULE":
		o.rule = content
	case "RDATE":
		o.dates = append(o.dates, strings.Split(content, ",")...)
	}
}

// offset reads +0100 or -013045 (RFC 5545 3.3.14).
func (o *observance) offset(text string) int {
	sign, digits := 1, strings.TrimPrefix(text, "+")
	if strings.HasPrefix(text, "-") {
		sign, digits = -1, text[1:]
	}
	number, err := strconv.Atoi(digits)
	switch {
	case err != nil || number < 0:
	case len(digits) == 4:
		number *= 100
		fallthrough
	case len(digits) == 6:
		hours, minutes, seconds := number/10000, number/100%100, number%100
		if hours < 24 && minutes < 60 && seconds < 60 {
			return sign * (hours*3600 + minutes*60 + seconds)
		}
	}
	o.bad = true
	return 0
}

// onset is a moment from which a zone has another offset.
type onset struct {
	at    int64 // in seconds since 1970
	after int
}

// onsets returns the onsets of an observance until lastZoneYear, and whether it can be read.
func (o *observance) onsets(b *budget.Budget) (all []onset, ok bool) {
	first, err := time.Parse("20060102T150405", o.start)
	if o.bad || err != nil {
		return nil, false
	}
	moments := []time.Time{first}
	for _, text := range o.dates {
		at, err := time.Parse("20060102T150405", strings.TrimSpace(text))
		if err != nil {
			return nil, false
		}
		moments = append(moments, at)
	}
	if o.rule != "" {
		annual, ok := o.annual(first, b)
		if !ok {
			return nil, false
		}
		moments = append(moments, annual...)
	}
	if len(moments) > maxOnsets {
		return nil, false
	}
	for _, at := range moments {
		all = append(all, onset{at.Unix() - int64(o.before), o.after})
	}
	return all, true
}

// annual returns the onsets of the rule of an observance on the wall clock before them.
func (o *observance) annual(first time.Time, b *budget.Budget) ([]time.Time, bool) {
	if first.Year() < firstZoneYear { // Windows begins in 1601
		first = time.Date(firstZoneYear, first.Month(), first.Day(), first.Hour(), first.Minute(), 0, 0, time.UTC)
	}
	end := time.Date(lastZoneYear, 1, 1, 0, 0, 0, 0, time.UTC)
	rule, last := recurrence.CutUntil(o.rule)
	if last != "" {
		until, err := time.Parse("20060102T150405", strings.TrimSuffix(last, "Z"))
		if err != nil {
			until, err = time.Parse("20060102", last)
		}
		if err != nil {
			return nil, false
		}
		if until = until.Add(time.Duration(o.before) * time.Second); until.Before(end) {
			end = until
		}
	}
	return recurrence.Annual(rule, first, end, maxOnsets, b)
}

// location makes a zone of its observances; nil if one of them cannot be read.
func location(name string, observances []observance, b *budget.Budget) *time.Location {
	var all []onset
	before, earliest := 0, int64(0)
	for i := range observances {
		onsets, ok := observances[i].onsets(b)
		if !ok {
			return nil
		}
		if first := onsets[0].at; i == 0 || first < earliest {
			before, earliest = observances[i].before, first
		}
		all = append(all, onsets...)
	}
	if !b.Spend(stepsOfOnset * len(all)) {
		return nil
	}
	slices.SortStableFunc(all, func(a, b onset) int { return int(min(max(a.at-b.at, -1), 1)) })
	zone, err := time.LoadLocationFromTZData(name, tzif(before, all))
	if err != nil {
		return nil
	}
	return zone
}

// tzif encodes onsets in the format of RFC 8536, version 2. before is the offset ahead of the
// first.
func tzif(before int, all []onset) []byte {
	offsets := []int{before} // the first one has no onset of its own
	for _, o := range all {
		if !slices.Contains(offsets[1:], o.after) {
			offsets = append(offsets, o.after)
		}
	}
	var file bytes.Buffer
	head := func(onsets, offsets, letters int) {
		file.WriteString("TZif2" + strings.Repeat("\x00", 15))
		for _, count := range []int{0, 0, 0, onsets, offsets, letters} {
			file.Write(binary.BigEndian.AppendUint32(nil, uint32(count))) //nolint:gosec // small
		}
	}
	head(0, 1, 1)
	file.WriteString(strings.Repeat("\x00", 6) + "\x00") // the data of version 1, which is not read
	head(len(all), len(offsets), 2)
	for _, o := range all {
		file.Write(binary.BigEndian.AppendUint64(nil, uint64(o.at))) //nolint:gosec // the bits are meant
	}
	for _, o := range all {
		file.WriteByte(byte(1 + slices.Index(offsets[1:], o.after)))
	}
	for _, offset := range offsets {
		file.Write(binary.BigEndian.AppendUint32(nil, uint32(offset))) //nolint:gosec // the bits are meant
		file.WriteString("\x00\x00")
	}
	file.WriteString("Z\x00\n\n")
	return file.Bytes()
}
