package stack

import (
	"os"
	"strings"
	"testing"
)

func TestWelcomeNamesThePeopleOfTheDemo(t *testing.T) {
	s := &Stack{options: Options{Data: t.TempDir()}}
	if strings.Contains(s.Welcome(), "log in") {
		t.Errorf("without a demo:\n%s", s.Welcome())
	}
	if err := os.WriteFile(s.PeopleFile(), []byte("password of all  secret\nowner@litfass.example  owner\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.Welcome(), "/console/login:\n\n  password of all  secret\n  owner@litfass.example  owner\n") {
		t.Errorf("with a demo:\n%s", s.Welcome())
	}
}

// With DEMO=0 nothing is written: neither the catalogue nor its people.
func TestWithoutADemoNothingIsFilledIn(t *testing.T) {
	s := &Stack{options: Options{Data: t.TempDir(), Root: "/nowhere"}}
	if err := s.fill(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(s.PeopleFile()); err == nil {
		t.Error("people were made")
	}
	s.options.Demo = true
	s.at.public = "https://litfass.example" // where admin would refuse as well
	if err := s.makePeople(t.Context()); err != nil {
		t.Error(err)
	}
}
