package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/local/stack"
)

// EditorPassword is the password of every editor.
const EditorPassword = "staple under the bridge"

// Editor is an organizer who is logged in.
type Editor struct {
	*client.Client // of the admin operations
	Email, Token   string
}

// LogIn makes an account with the operator's command and logs it in.
func (s *System) LogIn(t *testing.T) Editor {
	t.Helper()
	const email = "editor@example.org"
	create := s.Command(t.Context(), stack.Admin, "user", "create", email, "--password-stdin")
	create.Stdin = strings.NewReader(EditorPassword + "\n")
	if output, err := create.CombinedOutput(); err != nil {
		t.Fatalf("admin user create: %v\n%s", err, output)
	}
	return s.LogInAs(t, email)
}

// SignUp makes an account as people do, with the link in the mail, and logs it in.
func (s *System) SignUp(t *testing.T, email string) Editor {
	t.Helper()
	visitor := Editor{Client: client.New(s.URL()+"/api", 1)}
	visitor.Write(t, http.MethodPost, "/signup", fmt.Sprintf(`{"email": %q, "password": %q}`, email, EditorPassword))
	visitor.Write(t, http.MethodPost, "/activate", fmt.Sprintf(`{"token": %q, "password": %q}`, s.mailed(t, email, "activate"), EditorPassword))
	return s.LogInAs(t, email)
}

// LogInAs logs in a person with an account.
func (s *System) LogInAs(t *testing.T, email string) Editor {
	t.Helper()
	visitor := Editor{Client: client.New(s.URL()+"/api", 1)}
	login := visitor.Write(t, http.MethodPost, "/login", fmt.Sprintf(`{"email": %q, "password": %q}`, email, EditorPassword))
	return Editor{Client: client.New(s.URL()+"/api/admin", 64), Email: email, Token: fmt.Sprint(login["access_token"])}
}

// Through returns the editor at the admin service of another address.
func (e Editor) Through(base string) Editor {
	e.Client = client.New(base+"/api/admin", 64)
	return e
}

// Invited signs up and joins the organization of the editor, who invites them.
func (s *System) Invited(t *testing.T, by Editor, org, email, role string) Editor {
	t.Helper()
	by.Write(t, http.MethodPost, "/organization/"+org+"/team/invite", fmt.Sprintf(`{"email": %q, "role": %q}`, email, role))
	member := s.SignUp(t, email)
	member.Write(t, http.MethodPost, "/organization/team/invite/accept", fmt.Sprintf(`{"token": %q}`, s.mailed(t, email, "invitation")))
	return member
}

// mailed waits for a mail to the address with a link to a page, and returns the token of the link.
func (s *System) mailed(t *testing.T, email, page string) (token string) {
	t.Helper()
	link := regexp.MustCompile(page + `[a-z/]*\?token=3D([A-Za-z0-9_-]+)`)
	Await(t, "a mail to "+email, func() error {
		files, err := filepath.Glob(filepath.Join(filepath.Dir(s.LogFolder()), "mail", "*.eml"))
		if err != nil {
			return err
		}
		for _, file := range slices.Backward(files) {
			mail, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			found := link.FindStringSubmatch(strings.ReplaceAll(string(mail), "=\r\n", ""))
			if found != nil && bytes.Contains(mail, []byte("To: <"+email+">")) {
				token = found[1]
				return nil
			}
		}
		return fmt.Errorf("%d mails, none with a link to %s", len(files), page)
	})
	return token
}

// Write sends a write that must succeed, and returns its answer.
func (e Editor) Write(t *testing.T, method, path, body string, header ...string) map[string]any {
	t.Helper()
	object, _ := e.Change(t, method, path, body, header...)
	return object
}

// Show reads an object, which must succeed.
func (e Editor) Show(t *testing.T, path string) map[string]any {
	t.Helper()
	object, _ := e.Change(t, http.MethodGet, path, "")
	return object
}

// Change is write, and also returns the position of the write.
func (e Editor) Change(t *testing.T, method, path, body string, header ...string) (object map[string]any, position uint64) {
	t.Helper()
	answer, err := e.Ask(t.Context(), method, path, body, header...)
	if err == nil {
		object, err = Decoded(answer)
	}
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	position = client.Position(answer.Header) // 0 if nothing is stored
	return object, position
}

// Decoded returns the object of a successful answer.
func Decoded(answer client.Answer) (object map[string]any, err error) {
	if answer.Status >= http.StatusMultipleChoices {
		return nil, fmt.Errorf("%d: %.600s", answer.Status, answer.Body)
	}
	return object, json.Unmarshal(answer.Body, &object)
}

// Ask sends a request with a JSON body, "" for none, and returns any answer. header are names, each
// followed by its value.
func (e Editor) Ask(ctx context.Context, method, path, body string, header ...string) (client.Answer, error) {
	sent := http.Header{}
	if e.Token != "" {
		sent.Set("Authorization", "Bearer "+e.Token)
	}
	if body != "" {
		sent.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		sent.Set(header[i], header[i+1])
	}
	return e.Do(ctx, method, path, sent, []byte(body))
}
