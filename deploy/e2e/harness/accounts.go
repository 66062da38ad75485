package harness

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/deploy/local/stack"
)

// Account makes an account by the command line, with flags of "admin user create", and returns an
// access token of it.
func (s *System) Account(t *testing.T, email, password string, flags ...string) (token string) {
	t.Helper()
	create := s.Command(t.Context(), stack.Admin, append([]string{"user", "create", email, "--password-stdin"}, flags...)...)
	create.Stdin = strings.NewReader(password + "\n")
	if output, err := create.CombinedOutput(); err != nil {
		t.Fatalf("admin user create: %v\n%s", err, output)
	}
	answer := s.As(t, "", http.MethodPost, "/api/login", map[string]any{"email": email, "password": password})
	token, _ = answer["access_token"].(string)
	return token
}

// As sends a JSON body, or none, with a token and returns the answer, which must be a success.
func (s *System) As(t *testing.T, token, method, path string, body any) map[string]any {
	t.Helper()
	header, encoded := http.Header{"Content-Type": {"application/json"}}, []byte(nil)
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	var err error
	if body != nil {
		if encoded, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	answer, err := s.Client.Do(t.Context(), method, path, header, encoded)
	if err == nil && answer.Status >= http.StatusBadRequest {
		err = fmt.Errorf("%d %.500s", answer.Status, answer.Body)
	}
	decoded := map[string]any{}
	if err == nil {
		err = json.Unmarshal(answer.Body, &decoded)
	}
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return decoded
}
