package stack

import (
	"context"
	"fmt"
)

// StartAnother starts a further process of a service that Start has started, with env added to its
// environment. It listens on a free port, which the gateway does not know. The returned name is for
// Process and LogFile, the returned address has no slash at its end. Close stops the process with
// the others.
func (s *Stack) StartAnother(ctx context.Context, service string, env ...string) (name, url string, err error) {
	free, err := FreePorts()
	if err != nil {
		return "", "", err
	}
	row, number := serviceNamed(service)
	row.port = func(Ports) int { return free.Gateway }
	name = s.nextName(service)
	process := s.process(row, number)
	process.Name, process.LogFile = name, s.LogFile(name)
	process.Env = append(process.Env, env...)
	return name, "http://" + address(free.Gateway), s.run(ctx, name, process)
}

// nextName returns the first of "admin-2", "admin-3" and so on that names no process yet.
func (s *Stack) nextName(service string) string {
	for n := 2; ; n++ {
		if name := fmt.Sprintf("%s-%d", service, n); s.Process(name) == nil {
			return name
		}
	}
}
