package stack

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// state describes a running stack for commands in other terminals.
type state struct {
	URL      string                  `json:"url"`
	Services map[string]serviceState `json:"services"`
}

type serviceState struct {
	Program string   `json:"program"`
	Env     []string `json:"env"` // contains secrets: the file is readable by its owner only
}

func stateFile(data string) string { return filepath.Join(data, "stack.json") }

// SaveState writes the configuration of this stack's services, for RunningCommand.
func (s *Stack) SaveState() error {
	saved := state{URL: s.URL(), Services: map[string]serviceState{}}
	for _, row := range services {
		for number := range row.count(s.options) {
			saved.Services[numbered(row.name, number)] = serviceState{Program: s.binary(row.name), Env: s.environment(row, number)}
		}
	}
	return writeJSON(stateFile(s.options.Data), saved)
}

// RunningCommand returns a command of a service of the stack that runs on a data folder, with that
// stack's configuration of the service.
func RunningCommand(data, name string, args ...string) (*exec.Cmd, error) {
	saved, err := running(data)
	if err != nil {
		return nil, err
	}
	service, known := saved.Services[name]
	if !known {
		return nil, fmt.Errorf("there is no service %q", name)
	}
	cmd := exec.Command(service.Program, args...)
	cmd.Env = append(os.Environ(), service.Env...)
	return cmd, nil
}

// RunningInstances returns the names of all instances of a service of the stack that runs on a data
// folder, for RunningCommand: projector, projector-2 and so on.
func RunningInstances(data, name string) ([]string, error) {
	saved, err := running(data)
	if err != nil {
		return nil, err
	}
	var names []string
	for number := 0; ; number++ {
		instance := numbered(name, number)
		if _, known := saved.Services[instance]; !known {
			return names, nil
		}
		names = append(names, instance)
	}
}

// running reads the state of the stack that runs on a data folder.
func running(data string) (saved state, err error) {
	if Holder(data) == 0 {
		return saved, errors.New("the stack is not running here: start it with make up")
	}
	content, err := os.ReadFile(stateFile(data))
	if err != nil {
		return saved, errors.New("the stack is still starting: wait until make up says that it is ready")
	}
	if err := json.Unmarshal(content, &saved); err != nil {
		return saved, fmt.Errorf("%s: %w", stateFile(data), err)
	}
	return saved, nil
}
