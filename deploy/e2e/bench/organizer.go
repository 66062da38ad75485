package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"litfass/deploy/e2e/client"
	"litfass/deploy/local/stack"
)

// editors is the number of clients that edit concurrently.
const editors = 8

// organizer is the owner of an organization, who is logged in and uses admin without the gateway.
type organizer struct {
	client  *client.Client
	token   string
	org     string // uuid
	address string // of the client, if a proxy names it
}

// newOrganizer creates an account with an organization of its own. flags are further ones of the
// operator's command: with "--admin" it may edit everything.
func (b *bench) newOrganizer(ctx context.Context, email string, flags ...string) (*organizer, error) {
	arguments := append([]string{"user", "create", email, "--password-stdin"}, flags...)
	create := b.stack.Command(ctx, stack.Admin, arguments...)
	create.Stdin = strings.NewReader(accountPassword + "\n")
	if output, err := create.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("admin user create: %w\n%s", err, output)
	}
	o := &organizer{client: client.New(b.stack.ServiceURL(stack.Admin), editors)}
	if err := o.login(ctx, email); err != nil {
		return nil, err
	}
	var err error
	o.org, err = o.add(ctx, "organization", map[string]any{"name": "Verein von " + email})
	return o, err
}

// login gets a token, which holds for a quarter of an hour.
func (o *organizer) login(ctx context.Context, email string) error {
	var login struct {
		Token string `json:"access_token"`
	}
	credentials := map[string]string{"email": email, "password": accountPassword}
	o.token = ""
	if err := o.write(ctx, http.MethodPost, "/api/login", credentials, &login); err != nil {
		return err
	}
	o.token = login.Token
	return nil
}

// add stores a new organization or venue and returns its uuid.
func (o *organizer) add(ctx context.Context, kind string, entity map[string]any) (uuid string, err error) {
	var added struct{ UUID string }
	err = o.write(ctx, http.MethodPut, "/api/admin/"+kind, entity, &added)
	return added.UUID, err
}

// addVenue adds a venue to the organization.
func (o *organizer) addVenue(ctx context.Context, name string) (uuid string, err error) {
	return o.add(ctx, "venue", map[string]any{"org_uuid": o.org, "name": name, "city": "Kiel", "country": "DEU"})
}

// write sends a value as JSON and reads the answer into answer, unless that is nil.
func (o *organizer) write(ctx context.Context, method, path string, value, answer any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return o.send(ctx, method, path, "application/json", body, answer)
}

// ask sends a value as JSON, or no body for nil, and returns any answer.
func (o *organizer) ask(ctx context.Context, method, path string, value any) (client.Answer, error) {
	header := http.Header{"Authorization": {"Bearer " + o.token}, "X-Forwarded-For": {o.address}}
	if value == nil {
		return o.client.Do(ctx, method, path, header, nil)
	}
	body, err := json.Marshal(value)
	if err != nil {
		return client.Answer{}, err
	}
	header.Set("Content-Type", "application/json")
	return o.client.Do(ctx, method, path, header, body)
}

// send sends a body and reads the answer into answer, unless that is nil. An answer of another
// status than 200 and 201 is an error.
func (o *organizer) send(ctx context.Context, method, path, contentType string, body []byte, answer any) error {
	request, err := http.NewRequestWithContext(ctx, method, o.client.Base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", contentType)
	if o.token != "" {
		request.Header.Set("Authorization", "Bearer "+o.token)
	}
	response, err := o.client.HTTP.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return fmt.Errorf("%s %s: %w", method, path, err)
	case response.StatusCode != http.StatusOK && response.StatusCode != http.StatusCreated:
		return fmt.Errorf("%s %s: %s: %.500s", method, path, response.Status, content)
	case answer == nil:
		return nil
	}
	return json.Unmarshal(content, answer)
}
