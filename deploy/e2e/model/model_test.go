package model

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestOriginals(t *testing.T) {
	for _, test := range []struct {
		rule Object
		want string
	}{
		{Object{"start_date": "2028-02-28", "all_day": true, "rrule": "FREQ=DAILY;COUNT=3"}, "2028-02-28 2028-02-29 2028-03-01"},
		{Object{"start_date": "2026-10-18", "start_time": "20:00", "rrule": "FREQ=WEEKLY;INTERVAL=2;UNTIL=20261101T200000"},
			"2026-10-18T20:00 2026-11-01T20:00"},
		{Object{"start_date": "2026-10-18", "start_time": "20:00", "rrule": "FREQ=DAILY;COUNT=3", "exdate": []any{"2026-10-18", "2026-10-20T20:00"},
			"rdate": []any{"2026-10-01", "2026-10-19T15:00", "2026-10-19"}}, "2026-10-01T20:00 2026-10-19T15:00 2026-10-19T20:00"},
		{Object{"start_date": "2026-10-18", "all_day": true, "rdate": []any{"2026-10-01"}}, "2026-10-01 2026-10-18"},
	} {
		if got := strings.Join(Originals(test.rule), " "); got != test.want {
			t.Errorf("%v means %s, want %s", test.rule, got, test.want)
		}
	}
}

func TestDatesOfARule(t *testing.T) {
	first := made(blankDate, Object{
		"start_date": "2026-10-18", "start_time": "22:00", "end_date": "2026-10-19", "end_time": "01:00", "entry_time": "21:00",
	})
	dates := datesOf(first, Object{"rrule": "FREQ=DAILY;COUNT=1", "rdate": []any{"2026-11-01T00:30"}})
	if len(dates) != 2 || dates[0]["end_date"] != "2026-10-19" || dates[0]["entry_time"] != "21:00" {
		t.Fatalf("%v", dates)
	}
	early := dates[1]
	if early["end_date"] != nil || early["end_time"] != "03:30" || early["entry_time"] != nil || early["recurrence_id"] != "2026-11-01T00:30" {
		t.Errorf("%v", early)
	}
}

func TestFollow(t *testing.T) {
	date := func(start, end string) Object {
		return made(blankDate, Object{"start_date": start, "end_date": end, "start_time": "20:00"})
	}
	for _, test := range []struct{ was, is, d, want Object }{
		{date("2026-01-01", ""), date("2026-01-03", ""), date("2026-02-01", "2026-02-02"), date("2026-02-03", "2026-02-04")},
		{date("2026-01-01", ""), date("2026-01-01", "2026-01-02"), date("2026-02-01", ""), date("2026-02-01", "2026-02-02")},
		{date("2026-01-01", "2026-01-02"), date("2026-01-01", ""), date("2026-02-01", "2026-02-05"), date("2026-02-01", "")},
		{date("2026-01-01", "2026-01-02"), date("2026-01-02", "2026-01-03"), date("2026-02-01", ""), date("2026-02-02", "")},
	} {
		if follow(test.d, test.was, test.is); !reflect.DeepEqual(test.d, test.want) {
			t.Errorf("%v, want %v", test.d, test.want)
		}
	}
}

// TestJudge: who, in which state and with which version.
func TestJudge(t *testing.T) {
	ada := &Person{Name: "ada", Password: "x", Roles: map[string]string{"org": "owner"}}
	carl := &Person{Name: "carl", Password: "x", Roles: map[string]string{"org": "contributor"}}
	eve := &Person{Name: "eve", Password: "x", Roles: map[string]string{}}
	key := &Person{Name: "key", Roles: map[string]string{"org": "editor"}}
	fields := made(blanks[Event], Object{
		"uuid": "event", "org_uuid": "org", "title": "Fest", "online_link": "https://example.org",
		"dates": []any{made(blankDate, Object{"uuid": "date", "start_date": "2026-01-01", "all_day": true})},
	})
	in := func(uuid, status string) Object {
		other := Plain(fields).(Object)
		other["uuid"], other["release_status"] = uuid, status
		return other
	}
	w := &World{Entities: []*Entity{
		{Kind: Organization, Fields: made(blanks[Organization], Object{"uuid": "org", "name": "One"})},
		{Kind: Event, Fields: fields, Tag: `"3"`},
		{Kind: Event, Fields: in("public", "released")},
		{Kind: Event, Fields: in("handed", "review")},
	}}
	release := func(who *Person, status, match string) Request {
		return Request{
			Who: who, Do: "PUT /event/:eventId/release-status", ID: "event", IfMatch: match, Body: Object{"release_status": status},
		}
	}
	before := Plain(w.Entities)
	for _, test := range []struct {
		request Request
		want    int // 0: accepted
	}{
		{release(ada, "released", `"3"`), 0},
		{release(ada, "released", `"2"`), http.StatusPreconditionFailed},
		{release(ada, "cancelled", ""), http.StatusConflict},
		{release(carl, "released", ""), http.StatusForbidden},
		{release(carl, "review", "*"), 0},
		{release(carl, "released", `"2"`), http.StatusForbidden},
		{release(carl, "cancelled", ""), http.StatusForbidden},
		{Request{Who: carl, Do: "PUT /event/:eventId/header", ID: "public", Body: Object{"title": "Ball"}}, http.StatusForbidden},
		{Request{Who: carl, Do: "PUT /event/:eventId/header", ID: "public", Body: Object{"title": 5.0}, Invalid: true}, http.StatusForbidden},
		{Request{Who: carl, Do: "POST /event/:eventId/duplicate", ID: "public"}, 0},
		{Request{Who: carl, Do: "PUT /event/:eventId/release-status", ID: "handed", Body: Object{"release_status": "draft"}}, 0},
		{Request{Who: ada, Do: "PUT /event/:eventId/release-status", ID: "public", Body: Object{"release_date": "2999-01-01T00:00:00Z"}}, http.StatusConflict},
		{Request{Who: key, Do: "DELETE /event/:eventId", ID: "public"}, 0},
		{release(eve, "released", ""), http.StatusNotFound},
		{Request{Who: carl, Do: "DELETE /event/:eventId", ID: "event", Body: Object{"password": "x"}}, http.StatusForbidden},
		{Request{Who: ada, Do: "DELETE /event/:eventId", ID: "event", Body: Object{"password": "x"}}, 0},
		{Request{Who: ada, Do: "DELETE /organization/:organizationId", ID: "org", Body: Object{"password": "x"}}, http.StatusConflict},
	} {
		verdict := w.Judge(test.request)
		_, refused := verdict.Refusals[test.want]
		if verdict.Accepted() != (test.want == 0) || test.want != 0 && (!refused || len(verdict.Refusals) > 1) {
			t.Errorf("%s: %s, want %d", test.request, verdict.Why(), test.want)
		}
	}
	if !reflect.DeepEqual(before, Plain(w.Entities)) {
		t.Error("judging changes the world")
	}
}

func TestLearnFindsTheRulesOfDuplicates(t *testing.T) {
	dates := func(rules ...string) []any {
		var dates []any
		for i, rule := range rules {
			dates = append(dates, made(blankDate, Object{"start_date": "2026-01-01", "rule_uuid": rule, "recurrence_id": string("ab"[i%2])}))
		}
		return dates
	}
	e := &Entity{Kind: Event, Fields: Object{"dates": dates(newRule("1"), newRule("1"), newRule("2"))}}
	shown := dates("y", "x", "x")
	for i, d := range shown {
		d.(Object)["uuid"] = string("pqr"[i])
	}
	shown[1].(Object)["recurrence_id"], shown[2].(Object)["recurrence_id"] = "a", "b"
	e.Learn(Object{"dates": shown, "date_rules": []any{}}, `"1"`)
	var rules []string
	for _, d := range Parts(e.Fields, "dates") {
		rules = append(rules, text(d, "rule_uuid"))
	}
	if !slices.Equal(rules, []string{"x", "x", "y"}) {
		t.Errorf("the rules are %v", rules)
	}
}
