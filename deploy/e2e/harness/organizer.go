package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"testing"

	"litfass/deploy/e2e/client"
)

// Organizer is a platform administrator who is logged in.
type Organizer struct {
	base, Token string
}

// Organizer makes an administrator and logs them in.
func (s *System) Organizer(t *testing.T) Organizer {
	t.Helper()
	return Organizer{base: s.URL(), Token: s.Account(t, "organizer@example.org", "correct horse battery", "--admin")}
}

// Rename returns the position of the write.
func (o Organizer) Rename(ctx context.Context, org, name string) (uint64, error) {
	var answer map[string]any
	header, err := o.Send(ctx, http.MethodPut, "/api/admin/organization/"+org, map[string]string{"name": name}, &answer)
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(header.Get(client.PositionHeader), 10, 64)
}

// Send sends a JSON body and decodes the answer, which must be a success.
func (o Organizer) Send(ctx context.Context, method, path string, body, into any) (http.Header, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, o.base+path, bytes.NewReader(encoded))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if o.Token != "" {
		request.Header.Set("Authorization", "Bearer "+o.Token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s %.300s", method, path, response.Status, content)
	}
	if err != nil {
		return nil, err
	}
	return response.Header, json.Unmarshal(content, into)
}
