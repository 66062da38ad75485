package stack

import (
	"context"
	"errors"
	"fmt"
	"time"

	"litfass/deploy/local/engine"
)

// instance has the ports and addresses of the processes with one number: a read node, or an admin.
// The first uses the stack's own.
type instance struct {
	ports Ports
	at    addresses
}

// numbered returns the plain name for the first process, and numbered ones for the others: query,
// query-2, query-3.
func numbered(name string, number int) string {
	if number == 0 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, number+1)
}

// settleInstances gives each read node its own name and Meilisearch.
func (s *Stack) settleInstances(ports []Ports) error {
	if !s.need.Meili && s.options.ReadNodes > 1 {
		return errors.New("READ_NODES needs a Meilisearch for each read node: it does not go with MEILI_URL")
	}
	for number := range ports {
		s.instances = append(s.instances, instance{ports: ports[number], at: s.at})
		own := &s.instances[number].at
		own.admin = "http://" + address(ports[number%perAdmin(s.options)].Admin)
		own.query = "http://" + address(ports[number%perReadNode(s.options)].Query)
		if number > 0 {
			own.meili, own.readNode = s.meili(number).URL(), numbered("node", number)
		}
	}
	return nil
}

// startMeilis starts the Meilisearch of every read node.
func (s *Stack) startMeilis(ctx context.Context) error {
	if !s.need.Meili {
		return s.reachable("MEILI_URL", func() error { return engine.PingMeilisearch(ctx, s.at.meili, s.at.meiliKey) })
	}
	var errs []error
	for node := range perReadNode(s.options) {
		meili := s.meili(node)
		err := meili.Prepare()
		if err == nil {
			process := meili.Process()
			if node > 0 {
				process.Name = fmt.Sprintf("%s %d", process.Name, node+1)
			}
			err = s.run(ctx, numbered(Meili, node), process)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// replaceable reports whether other processes do the work of one that fails: true for the processes
// of a read node or an admin while there is another one.
func (s *Stack) replaceable(name string) bool {
	for _, row := range append(services, service{name: Meili, count: perReadNode}) {
		for number := range row.count(s.options) {
			if numbered(row.name, number) == name {
				return row.count(s.options) > 1
			}
		}
	}
	return false
}

// reviveAfter is the time for which a replaceable process stays down, so that its absence can be
// watched.
const reviveAfter = 3 * time.Second

// revive starts a process again that has failed, until that succeeds or the stack is closed.
func (s *Stack) revive(name string, failure error) {
	for failure != nil {
		s.report(failure)
		select {
		case <-s.closing:
			return
		case <-time.After(reviveAfter):
		}
		process := s.Process(name)
		if process.Running() {
			return
		}
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			select {
			case <-s.closing:
				cancel()
			case <-ctx.Done():
			}
		}()
		failure = process.Start(ctx)
		cancel()
	}
	s.options.Console.Line("%s runs again", s.Process(name).Name)
}
