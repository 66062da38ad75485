package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/stream/streamtest"
)

// send posts a JSON body and returns the status and the body of the answer.
func (p *program) send(path, bearer, body string) (status int, answer map[string]any) {
	p.t.Helper()
	return p.request(http.MethodPost, path, bearer, body)
}

func (p *program) request(method, path, bearer, body string) (status int, answer map[string]any) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, "http://"+p.address+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if bearer != "" {
		request.Header.Set("Authorization", "Bearer "+bearer)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		p.t.Fatal(err)
	}
	return response.StatusCode, answer
}

// mailed waits for a mail to the address and returns the token of its link.
func (p *program) mailed(dir, recipient string) string {
	p.t.Helper()
	link := regexp.MustCompile(`token=([A-Za-z0-9_-]{43})`)
	for deadline := time.Now().Add(streamtest.Patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(dir, "*.eml"))
		if err != nil {
			p.t.Fatal(err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				p.t.Fatal(err)
			}
			// Quoted-printable: lines are broken with "=", and "=" itself is "=3D".
			content = bytes.ReplaceAll(bytes.ReplaceAll(content, []byte("=\r\n"), nil), []byte("=3D"), []byte("="))
			if found := link.FindSubmatch(content); found != nil && bytes.Contains(content, []byte("To: <"+recipient+">")) {
				return string(found[1])
			}
		}
	}
	p.t.Fatalf("no mail to %s in %s", recipient, dir)
	return ""
}

func TestAccountsFromTheCommandLine(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	dir := t.TempDir()
	p.environment = append(p.environment, "MAIL_DIR="+dir, "BLOB_URL=file://"+(&url.URL{Path: filepath.ToSlash(t.TempDir())}).Path)
	made := p.must("user", "create", "owner@example.org", "--first-name", "Olga", "--admin")
	ownerPassword := made[strings.LastIndex(made, " ")+1 : len(made)-1]
	if _, stderr, exit := p.run(strings.NewReader("short\n"), "user", "create", "x", "--password-stdin"); exit != 1 ||
		!strings.Contains(stderr, "email is not") || !strings.Contains(stderr, "password must have") {
		t.Errorf("bad input: exit %d, %s", exit, stderr)
	}
	for _, args := range [][]string{
		{"user", "create", "OWNER@example.org"}, {"user", "promote", "unknown@example.org"}, {"user", "deactivate", "unknown@example.org"},
	} {
		if _, stderr, exit := p.run(nil, args...); exit != 1 || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit %d, %q", args, exit, stderr)
		}
	}
	stop := p.serve()
	defer stop()
	login := func(email, password string) (int, map[string]any) {
		return p.send("/api/login", "", `{"email": "`+email+`", "password": "`+password+`"}`)
	}
	if status, answer := login("owner@example.org", ownerPassword); status != http.StatusOK || answer["first_name"] != "Olga" {
		t.Fatalf("login of the created user: %d %v", status, answer)
	}

	const anna, password = "anna@example.org", "correct horse battery"
	if status, answer := p.send("/api/signup", "", `{"email": "`+anna+`", "password": "`+password+`"}`); status != http.StatusCreated {
		t.Fatalf("signup: %d %v", status, answer)
	}
	if status, answer := p.send("/api/activate", "", `{"token": "`+p.mailed(dir, anna)+`", "password": "`+password+`"}`); status != http.StatusOK {
		t.Fatalf("activate: %d %v", status, answer)
	}
	status, answer := login(anna, password)
	if status != http.StatusOK {
		t.Fatalf("login: %d %v", status, answer)
	}
	refresh := answer["refresh_token"].(string)
	if first, second := p.must("keys", "rotate"), p.must("keys", "rotate"); len(first) != 37 || first == second {
		t.Errorf("rotated to %q and %q", first, second)
	}
	if status, answer = p.send("/api/admin/refresh", refresh, ""); status != http.StatusOK {
		t.Fatalf("refresh after two rotations: %d %v", status, answer)
	}
	p.must("user", "promote", anna)
	p.must("user", "promote", anna, "--undo")
	status, founded := p.request(http.MethodPut, "/api/admin/organization", answer["access_token"].(string), `{"name": "Kühlhaus"}`)
	if status != http.StatusCreated {
		t.Fatalf("found an organization: %d %v", status, founded)
	}
	want := fmt.Sprintf("organization %s has no owner left who can log in: \"Kühlhaus\"\n", founded["uuid"])
	if got := p.must("user", "deactivate", anna); got != want {
		t.Errorf("deactivate prints %q, want %q", got, want)
	}
	if status, answer := p.send("/api/admin/logout", answer["access_token"].(string), ""); status != http.StatusUnauthorized {
		t.Errorf("after the deactivation: %d %v", status, answer)
	}
	if got := p.must("user", "deactivate", anna, "--undo"); got != "" {
		t.Errorf("undoing the deactivation prints %q", got)
	}
	if status, answer := login(anna, password); status != http.StatusOK {
		t.Errorf("after it was undone: %d %v", status, answer)
	}
}

// beside returns another process that shares the database and the stream.
func (p *program) beside() *program {
	p.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		p.t.Fatal(err)
	}
	other := &program{t: p.t, address: listener.Addr().String()}
	if err := listener.Close(); err != nil {
		p.t.Fatal(err)
	}
	other.environment = append(slices.Clone(p.environment), "LISTEN="+other.address)
	return other
}

// TestLoginLimitAcrossProcesses: a guess counts wherever it is made, also after the process that
// saw it has gone.
func TestLoginLimitAcrossProcesses(t *testing.T) {
	t.Parallel()
	first := newProgram(t)
	made := first.must("user", "create", "anna@example.org")
	password := made[strings.LastIndex(made, " ")+1 : len(made)-1]
	second := first.beside()
	stopFirst, stopSecond := first.serve(), second.serve()
	defer stopSecond()
	login := func(p *program, password string) (int, map[string]any) {
		return p.send("/api/login", "", `{"email": "anna@example.org", "password": "`+password+`"}`)
	}
	for i := range 5 {
		if status, answer := login([]*program{first, second}[i%2], "wrong"); status != http.StatusUnauthorized {
			t.Fatalf("guess %d: %d %v", i, status, answer)
		}
	}
	if status, answer := login(first, password); status != http.StatusTooManyRequests {
		t.Errorf("the sixth at the first process: %d %v", status, answer)
	}
	stopFirst()
	status, answer := login(second, password)
	if wait, _ := answer["retry_after"].(float64); status != http.StatusTooManyRequests || wait < 1 || wait > 300 {
		t.Errorf("the sixth at the second process: %d %v", status, answer)
	}
}

func TestPasswordFromStandardInput(t *testing.T) {
	read := createUserCommand{PasswordStdin: true}
	for input, want := range map[string]string{"correct horse\n": "correct horse", "correct horse\r\nmore\n": "correct horse", "no end": "no end", "": ""} {
		password, shown, err := read.password(strings.NewReader(input))
		if err != nil || password != want || shown != "" {
			t.Errorf("%q: %q, shown %q, %v", input, password, shown, err)
		}
	}
	password, shown, err := createUserCommand{}.password(strings.NewReader("ignored\n"))
	if err != nil || len(password) < 20 || !strings.Contains(shown, password) {
		t.Errorf("made: %d characters, %v", len(password), err)
	}
}
