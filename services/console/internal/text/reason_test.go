package text

import (
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
)

func TestReasons(t *testing.T) {
	of := func(why *reason.Reason) fault.Violation { return fault.Violate("name", why) }
	unknown := fault.Violation{Field: "name", Reason: "is quite unheard of", Code: "unheard_of", Params: reason.Params{"max": 3}}
	for _, c := range []struct {
		code  string
		given fault.Violation
		want  string
	}{
		{"de", of(reason.Required), "Bitte ausfüllen."},
		{"de", of(reason.TooLong(200)), "Höchstens 200 Zeichen."},
		{"da", of(reason.NotBetween(0, 120)), "Skal være mellem 0 og 120."},
		{"en", of(reason.TooShort(12)), "At least 12 characters."},
		{"en", unknown, "is quite unheard of"},
		{"de", unknown, "is quite unheard of"},
		{"de", fault.Violation{Reason: "has more than 3 characters", Code: "too_long"}, "has more than 3 characters"},
		{"da", fault.Violation{Reason: "the password is wrong", Code: "wrong_password"}, "Adgangskoden er forkert."},
	} {
		if got := Reason(Of(c.code), c.given); got != c.want {
			t.Errorf("%s: %+v is %q, want %q", c.code, c.given, got, c.want)
		}
	}
	if got := Refusal(Of("da"), "wrong_password", "the password is wrong"); got != "Adgangskoden er forkert." {
		t.Errorf("got %q", got)
	}
}
