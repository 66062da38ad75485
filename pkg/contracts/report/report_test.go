package report_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/report"
)

const event = "01920000-0000-7000-8000-0000000000c1"

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		given report.Report
		want  string // the bad fields
	}{
		"all":               {report.Report{EventUUID: event, Reason: " spam ", Text: " a\r\nb\t ", Email: " Anna@Example.org "}, ""},
		"the least":         {report.Report{EventUUID: event, Reason: "other"}, ""},
		"longest text":      {report.Report{EventUUID: event, Reason: "wrong", Text: strings.Repeat("ü", 2000)}, ""},
		"too long":          {report.Report{EventUUID: event, Reason: "wrong", Text: strings.Repeat("ü", 2001)}, "text"},
		"nothing":           {report.Report{}, "event_uuid reason"},
		"unknown reason":    {report.Report{EventUUID: event, Reason: "Spam"}, "reason"},
		"control character": {report.Report{EventUUID: event, Reason: "spam", Text: "a\x07b"}, "text"},
		"a control of C1":   {report.Report{EventUUID: event, Reason: "spam", Text: "a\u0085b"}, "text"},
		"broken UTF-8":      {report.Report{EventUUID: event, Reason: "spam", Text: "\xff"}, "text"},
		"another version":   {report.Report{EventUUID: "f47ac10b-58cc-4372-a567-0e02b2c3d479", Reason: "spam"}, "event_uuid"},
		"no address":        {report.Report{EventUUID: event, Reason: "spam", Email: "anna"}, "email"},
		"a name":            {report.Report{EventUUID: event, Reason: "spam", Email: "anna <anna@example.org>"}, "email"},
		"two addresses":     {report.Report{EventUUID: event, Reason: "spam", Email: "a@example.org,b@example.org"}, "email"},
		"a header":          {report.Report{EventUUID: event, Reason: "spam", Email: "a@example.org\r\nBcc: b@example.org"}, "email"},
		"a long address":    {report.Report{EventUUID: event, Reason: "spam", Email: strings.Repeat("a", 250) + "@b.example"}, "email"},
	} {
		test.given.Normalize()
		var fields []string
		if err := test.given.Check(); err != nil {
			if !fault.Is(err, fault.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
			for _, violation := range fault.Of(err).Violations {
				fields = append(fields, violation.Field)
			}
		}
		if got := strings.Join(fields, " "); got != test.want {
			t.Errorf("%s: bad are %q, want %q", name, got, test.want)
		}
	}
}

func TestNormalize(t *testing.T) {
	t.Parallel()
	r := report.Report{EventUUID: event, Reason: " spam ", Text: " a\r\nb\rc ", Email: " Anna@Example.org "}
	r.Normalize()
	if want := (report.Report{EventUUID: event, Reason: "spam", Text: "a\nb\nc", Email: "anna@example.org"}); r != want {
		t.Errorf("got %+v", r)
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	if err := report.DecodeAnswer(report.EncodeAnswer(nil)); err != nil {
		t.Errorf("accepted: %v", err)
	}
	tooMany := fault.New(fault.TooMany, "too_many_attempts", "100%% too many")
	tooMany.RetryAfter = 90 * time.Second
	got := report.DecodeAnswer(report.EncodeAnswer(tooMany))
	if !reflect.DeepEqual(got, tooMany) {
		t.Errorf("got %#v", got)
	}
	got = report.DecodeAnswer(report.EncodeAnswer(errors.New("SELECT from a secret table")))
	if !fault.Is(got, fault.Internal) || strings.Contains(got.Error(), "SELECT") {
		t.Errorf("got %v", got)
	}
	if err := report.DecodeAnswer([]byte("{")); err == nil || fault.Is(err, fault.Invalid) {
		t.Errorf("unreadable: %v", err)
	}
}
