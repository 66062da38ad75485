package stack

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// state is what a running stack leaves for other commands of the same folder.
type state struct {
	URL      string                  `json:"url"`
	Services map[string]serviceState `json:"services"`
}

type serviceState struct {
	Program string   `json:"program"`
	Env     []string `json:"env"` // holds secrets: the file is for its owner alone
}

func stateFile(data string) string { return filepath.Join(data, "stack.json") }

// SaveState writes how the services of this stack are configured, for
// RunningCommand.
func (s *Stack) SaveState() error {
	saved := state{URL: s.URL(), Services: map[string]serviceState{}}
	for _, row := range services {
		saved.Services[row.name] = serviceState{Program: s.binary(row.name), Env: s.environment(row)}
	}
	return writeJSON(stateFile(s.options.Data), saved)
}

// RunningCommand returns a command of a service of the stack that now runs on a
// data folder, configured as that stack configures the service.
func RunningCommand(data, name string, args ...string) (*exec.Cmd, error) {
	if Holder(data) == 0 {
		return nil, errors.New("the stack is not running here: start it with make up")
	}
	content, err := os.ReadFile(stateFile(data))
	if err != nil {
		return nil, errors.New("the stack is still starting: wait until make up says that it is ready")
	}
	var saved state
	if err := json.Unmarshal(content, &saved); err != nil {
		return nil, fmt.Errorf("%s: %w", stateFile(data), err)
	}
	service, known := saved.Services[name]
	if !known {
		return nil, fmt.Errorf("there is no service %q", name)
	}
	cmd := exec.Command(service.Program, args...)
	cmd.Env = append(os.Environ(), service.Env...)
	return cmd, nil
}
