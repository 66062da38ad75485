package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/local/stack"
)

const editorPassword = "staple under the bridge"

// editor is an organizer who is logged in.
type editor struct {
	*client.Client // of the admin operations
	email, token   string
}

// logIn makes an account with the operator's command and logs it in.
func (s *system) logIn(t *testing.T) editor {
	t.Helper()
	const email = "editor@example.org"
	create := s.Command(t.Context(), stack.Admin, "user", "create", email, "--password-stdin")
	create.Stdin = strings.NewReader(editorPassword + "\n")
	if output, err := create.CombinedOutput(); err != nil {
		t.Fatalf("admin user create: %v\n%s", err, output)
	}
	return s.logInAs(t, email)
}

// signUp makes an account as people do, with the link in the mail, and logs it in.
func (s *system) signUp(t *testing.T, email string) editor {
	t.Helper()
	visitor := editor{Client: client.New(s.URL()+"/api", 1)}
	visitor.write(t, http.MethodPost, "/signup", fmt.Sprintf(`{"email": %q, "password": %q}`, email, editorPassword))
	visitor.write(t, http.MethodPost, "/activate", fmt.Sprintf(`{"token": %q, "password": %q}`, s.mailed(t, email, "activate"), editorPassword))
	return s.logInAs(t, email)
}

func (s *system) logInAs(t *testing.T, email string) editor {
	t.Helper()
	visitor := editor{Client: client.New(s.URL()+"/api", 1)}
	login := visitor.write(t, http.MethodPost, "/login", fmt.Sprintf(`{"email": %q, "password": %q}`, email, editorPassword))
	return editor{Client: client.New(s.URL()+"/api/admin", 64), email: email, token: fmt.Sprint(login["access_token"])}
}

// through returns the editor at the admin service of another address.
func (e editor) through(base string) editor {
	e.Client = client.New(base+"/api/admin", 64)
	return e
}

// invited signs up and joins the organization of the editor, who invites them.
func (s *system) invited(t *testing.T, by editor, org, email, role string) editor {
	t.Helper()
	by.write(t, http.MethodPost, "/organization/"+org+"/team/invite", fmt.Sprintf(`{"email": %q, "role": %q}`, email, role))
	member := s.signUp(t, email)
	member.write(t, http.MethodPost, "/organization/team/invite/accept", fmt.Sprintf(`{"token": %q}`, s.mailed(t, email, "invitation")))
	return member
}

// mailed waits for a mail to the address with a link to a page, and returns the token of the link.
func (s *system) mailed(t *testing.T, email, page string) (token string) {
	t.Helper()
	link := regexp.MustCompile(page + `[a-z/]*\?token=3D([A-Za-z0-9_-]+)`)
	await(t, "a mail to "+email, func() error {
		files, err := filepath.Glob(filepath.Join(filepath.Dir(s.LogFolder()), "mail", "*-"+email+".eml"))
		if err != nil {
			return err
		}
		for _, file := range slices.Backward(files) {
			mail, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if found := link.FindStringSubmatch(strings.ReplaceAll(string(mail), "=\r\n", "")); found != nil {
				token = found[1]
				return nil
			}
		}
		return fmt.Errorf("%d mails, none with a link to %s", len(files), page)
	})
	return token
}

// write sends a write that must succeed, and returns its answer.
func (e editor) write(t *testing.T, method, path, body string, header ...string) map[string]any {
	t.Helper()
	object, _ := e.change(t, method, path, body, header...)
	return object
}

// show reads an object, which must succeed.
func (e editor) show(t *testing.T, path string) map[string]any {
	t.Helper()
	object, _ := e.change(t, http.MethodGet, path, "")
	return object
}

// change is write, and also returns the position of the write.
func (e editor) change(t *testing.T, method, path, body string, header ...string) (object map[string]any, position uint64) {
	t.Helper()
	answer, err := e.ask(t.Context(), method, path, body, header...)
	if err == nil {
		object, err = decoded(answer)
	}
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	position, _ = strconv.ParseUint(answer.Header.Get(positionHeader), 10, 64) // 0 for what stores nothing
	return object, position
}

// decoded returns the object of a successful answer.
func decoded(answer client.Answer) (object map[string]any, err error) {
	if answer.Status >= http.StatusMultipleChoices {
		return nil, fmt.Errorf("%d: %.600s", answer.Status, answer.Body)
	}
	return object, json.Unmarshal(answer.Body, &object)
}

// ask sends a request with a JSON body, "" for none, and returns any answer. header are names, each
// followed by its value.
func (e editor) ask(ctx context.Context, method, path, body string, header ...string) (client.Answer, error) {
	sent := http.Header{}
	if e.token != "" {
		sent.Set("Authorization", "Bearer "+e.token)
	}
	if body != "" {
		sent.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		sent.Set(header[i], header[i+1])
	}
	return e.Do(ctx, method, path, sent, []byte(body))
}
