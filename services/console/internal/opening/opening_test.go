package opening

import (
	"reflect"
	"slices"
	"testing"

	"litfass/pkg/contracts/hours"
	"litfass/services/console/internal/text"
)

func TestHoursAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	english := text.Of("en")
	for typed, want := range map[string][][2]string{
		"":                            nil,
		"10-18":                       {{"10:00", "18:00"}},
		"10–13, 14:30–18 Uhr":         {{"10:00", "13:00"}, {"14:30", "18:00"}},
		"kl. 9.30 til 17":             {{"09:30", "17:00"}},
		"14–18 und 9 bis 12":          {{"09:00", "12:00"}, {"14:00", "18:00"}},
		"20–2":                        {{"20:00", "02:00"}},
		"0–24":                        {{"00:00", "00:00"}},
		"10:00–12:00 / 13:00 - 18:15": {{"10:00", "12:00"}, {"13:00", "18:15"}},
	} {
		h, errors := Values{Field("tue"): typed, Special: "2026-12-31 10–14"}.Hours(english)
		var got [][2]string
		for _, w := range h.Weekly {
			if w.Day != "tue" {
				t.Errorf("%q is on %s", typed, w.Day)
			}
			got = append(got, [2]string{w.From, w.To})
		}
		if !slices.Equal(got, want) || len(errors) > 0 {
			t.Errorf("%q is read as %v: %v", typed, got, errors)
		}
	}
	for _, typed := range []string{"10", "10–25", "10:75–12", "10–12, 11–13", "20–2, 23–24", "geschlossen", "10–18 x", "–", "10–12–14"} {
		if h, errors := (Values{Field("mon"): typed}).Hours(english); errors[Field("mon")] == "" {
			t.Errorf("%q is read as %+v", typed, h)
		}
	}
}

func TestDaysAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	v := Values{
		Field("fri"): "10-18",
		Closed:       "24.12.2026 – 26.12.2026 Weihnachten\n\n2027-01-01, Neujahr\n1.5.2027",
		Special:      "31.12.2026 10–14 Uhr Silvester & Co.\n2027-05-01: 10-12, 14-16, Lange Nacht",
	}
	got, errors := v.Hours(text.Of("de"))
	want := hours.Hours{
		Weekly: []hours.Weekly{{Day: "fri", From: "10:00", To: "18:00"}},
		Closed: []hours.Closed{
			{From: "2026-12-24", To: "2026-12-26", Note: "Weihnachten"}, {From: "2027-01-01", To: "2027-01-01", Note: "Neujahr"},
			{From: "2027-05-01", To: "2027-05-01"},
		},
		Special: []hours.Special{
			{Date: "2026-12-31", From: "10:00", To: "14:00", Note: "Silvester & Co."},
			{Date: "2027-05-01", From: "10:00", To: "12:00", Note: "Lange Nacht"},
			{Date: "2027-05-01", From: "14:00", To: "16:00", Note: "Lange Nacht"},
		},
	}
	if len(errors) > 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v: %v", got, want, errors)
	}
	again, errors := Of(got).Hours(text.Of("da"))
	if len(errors) > 0 || !reflect.DeepEqual(again, want) {
		t.Errorf("after a round: %+v: %v", again, errors)
	}
	for field, line := range map[string]string{Closed: "Heiligabend", Special: "24.12.2026", Field("mon"): ""} {
		v := Values{field: line, Closed: v[Closed]}
		v[field] = line
		if _, errors := v.Hours(text.Of("en")); errors[field] == "" {
			t.Errorf("%q is no error of %s: %v", line, field, errors)
		}
	}
	for _, wrong := range []string{"26.12.2026 – 24.12.2026", "31.2.2026", "24.12.26", "1.1.1899"} {
		if _, errors := (Values{Field("mon"): "9-10", Closed: wrong}).Hours(text.Of("en")); errors[Closed] == "" {
			t.Errorf("%q is no error", wrong)
		}
	}
}

func TestNoHoursAreNone(t *testing.T) {
	t.Parallel()
	h, errors := Values{}.Hours(text.Of("en"))
	if !h.Empty() || len(errors) > 0 || !Of(h).Empty() {
		t.Errorf("%+v: %v", h, errors)
	}
}

func TestFieldsOfTheAdminService(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"hours.closed[0].to": Closed, "hours.special": Special, "hours.weekly[3].from": Field("mon"), "start_date": "start_date", "hours_mon": "hours_mon",
	} {
		if got := FieldOf(name); got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
}
