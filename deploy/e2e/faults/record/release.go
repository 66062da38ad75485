package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"

	"litfass/deploy/local/stack"
	"litfass/deploy/natsusers"
)

// patience is the time for a start of the release with its build.
const patience = 30 * time.Minute

// release is a checked-out release and the folder of its data.
type release struct{ tree, data string }

// service is a running stack of a release.
type service struct {
	url      string            // of the gateway
	settings map[string]string // of admin and of the projector: the addresses of the engines
	operator nats.Option       // the user of NATS who may read all; without effect on a release without users
}

// launcher returns a command of the release's launcher.
func (r *release) launcher(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(r.tree, ".local", "bin", "local"), args...)
	cmd.Dir, cmd.Stderr = r.tree, os.Stderr
	cmd.Env = append(os.Environ(), "LITFASS_DATA="+r.data)
	return cmd
}

// run runs a command of the launcher and returns its output.
func (r *release) run(ctx context.Context, args ...string) ([]byte, error) {
	output, err := r.launcher(ctx, args...).Output()
	if err != nil {
		return nil, fmt.Errorf("local %s: %w", strings.Join(args, " "), err)
	}
	return output, nil
}

// during runs the empty stack of the release while fn uses it.
func (r *release) during(ctx context.Context, fn func(*service) error) error {
	ports, err := stack.FreePorts()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.data, 0o711); err != nil {
		return err
	}
	up := r.launcher(ctx, "up", "--no-demo")
	up.Stdout = os.Stderr
	up.Env = append(up.Env, "LITFASS_PORT="+strconv.Itoa(ports.Gateway))
	if err := up.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- up.Wait() }()
	s, err := r.started(ctx, ended)
	if err == nil {
		err = fn(s)
	}
	return errors.Join(err, up.Process.Signal(syscall.SIGINT), <-ended)
}

// operator returns the user of NATS who may do all, with the password in the data folder.
func (r *release) operator() (nats.Option, error) {
	var secrets struct {
		Passwords map[string]string `json:"nats_passwords"`
	}
	content, err := os.ReadFile(filepath.Join(r.data, "secrets.json"))
	if err == nil {
		err = json.Unmarshal(content, &secrets)
	}
	return nats.UserInfo(natsusers.Operator, secrets.Passwords[natsusers.Operator]), err
}

// started waits until the stack answers.
func (r *release) started(ctx context.Context, ended chan error) (*service, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		var state struct {
			URL      string `json:"url"`
			Services map[string]struct {
				Env []string `json:"env"`
			} `json:"services"`
		}
		content, err := os.ReadFile(filepath.Join(r.data, "stack.json"))
		if err == nil {
			err = json.Unmarshal(content, &state)
		}
		s := &service{url: state.URL, settings: map[string]string{}}
		for _, name := range []string{"admin", "projector"} {
			for _, variable := range state.Services[name].Env {
				key, value, _ := strings.Cut(variable, "=")
				s.settings[key] = value
			}
		}
		if err == nil {
			s.operator, err = r.operator()
		}
		if err == nil {
			_, err = s.get(ctx, s.url+"/readyz", "")
		}
		if err == nil {
			return s, nil
		}
		select {
		case <-ctx.Done():
			return nil, err
		case failure := <-ended:
			ended <- failure
			return nil, fmt.Errorf("the stack has ended: %w", failure)
		case <-time.After(time.Second):
		}
	}
}

// get reads an address, with a key unless it is "".
func (s *service) get(ctx context.Context, url, key string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %d %.200s", url, answer.StatusCode, body)
	}
	return body, err
}
