package main

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"litfass/services/admin/internal/app/demo"
)

func TestDemoPeople(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	if _, stderr, exit := p.run(nil, "user", "demo"); exit != 1 || !strings.Contains(stderr, "fill in the demo catalogue first") {
		t.Errorf("without the catalogue: exit %d, %s", exit, stderr)
	}
	p.must("demo", "--day", "2026-11-20")
	first, second := p.must("user", "demo"), p.must("user", "demo")
	password := func(output string) string {
		return strings.TrimSpace(regexp.MustCompile(`^password of all +([A-Z2-7]{26})\n`).FindString(output)[len("password of all"):])
	}
	if password(first) == password(second) {
		t.Error("the password is no secret")
	}
	p.environment = append(p.environment, "LOGIN_ATTEMPTS=100") // all of them log in from one address
	stop := p.serve()
	defer stop()
	for i, person := range demo.People {
		if !strings.Contains(second, person.Email) || person.Role != "" && !strings.Contains(second, string(person.Role)+" of Speicher am Germaniahafen e. V.") {
			t.Errorf("%s is not printed:\n%s", person.Email, second)
		}
		status, answer := p.send("/api/login", "", fmt.Sprintf(`{"email": %q, "password": %q}`, person.Email, password(second)))
		if status != http.StatusOK || answer["display_name"] != person.FirstName+" "+person.LastName {
			t.Fatalf("login of %s: %d %v", person.Email, status, answer)
		}
		if i == 0 {
			status, _ = p.send("/api/login", "", fmt.Sprintf(`{"email": %q, "password": %q}`, person.Email, password(first)))
			if status != http.StatusUnauthorized {
				t.Errorf("the first password still works: %d", status)
			}
		}
	}
	p.must("user", "create", "real@example.org")
	if stdout, stderr, exit := p.run(nil, "user", "demo"); exit != 0 || stdout != "" || !strings.Contains(stderr, "there are other accounts") {
		t.Errorf("beside a real account: exit %d, %s%s", exit, stdout, stderr)
	}
}

func TestDemoPeopleAreNeverMadeByAccident(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.must("demo", "--day", "2026-11-20")
	for _, address := range []string{"https://litfass.example", "http://127.0.0.1.example.org", "http://10.0.0.1:8080", "http://localhost@example.org", "https://0.0.0.0", "::"} {
		p.environment = append(p.environment, "PUBLIC_URL="+address)
		if stdout, stderr, exit := p.run(nil, "user", "demo"); exit != 1 || stdout != "" || !strings.Contains(stderr, "PUBLIC_URL") {
			t.Errorf("%s: exit %d, %s%s", address, exit, stdout, stderr)
		}
	}
	p.environment = append(p.environment, "PUBLIC_URL=http://[::1]:8080")
	// The first account of a database has the id 1.
	if got := p.must("user", "create", "first@example.org"); !strings.HasPrefix(got, "user 1: ") {
		t.Errorf("an account was made before: %s", got)
	}
}
