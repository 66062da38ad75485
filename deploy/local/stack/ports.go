package stack

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"time"
)

// Ports are the ports on 127.0.0.1 that a stack listens on.
type Ports struct {
	Gateway, Admin, Query, Projector int
	Site, Console                    int
	Postgres, NATS, Meili            int
	NATSMonitor                      int
}

// instanceStep is the distance between the ports of consecutive instances of a service.
const instanceStep = 10

// PortsFrom returns the ports relative to a base: the gateway on the base itself, then +1 admin, +2
// query, +3 projector, +4 site, +5 PostgreSQL, +6 NATS, +7 Meilisearch, +8 the monitoring pages of
// NATS and +9 console. Further read nodes and admins follow at +10, +20 and so on.
func PortsFrom(base int) (Ports, error) {
	const last = 65535 - (instanceStep - 1)
	if base < 1 || base > last {
		return Ports{}, fmt.Errorf("port %d is not between 1 and %d", base, last)
	}
	return Ports{
		Gateway: base, Admin: base + 1, Query: base + 2, Projector: base + 3, Site: base + 4,
		Postgres: base + 5, NATS: base + 6, Meili: base + 7, NATSMonitor: base + 8,
		Console: base + 9,
	}, nil
}

// FreePorts returns ports that are free now, for stacks of tests.
func FreePorts() (Ports, error) {
	all, err := freePorts(1)
	if err != nil {
		return Ports{}, err
	}
	return all[0], nil
}

// freePorts returns the ports of several instances, all different. They are below the range for
// outgoing connections, so that none is taken until it is used.
func freePorts(instances int) ([]Ports, error) {
	all := make([]Ports, instances)
	for i := range all {
		p := &all[i]
		for _, port := range []*int{
			&p.Gateway, &p.Admin, &p.Query, &p.Projector, &p.Site, &p.Console, &p.Postgres, &p.NATS, &p.Meili, &p.NATSMonitor,
		} {
			// All listeners stay open until the last is found, so that no two are equal.
			listener, err := listenBetween(10_000, 32_000)
			if err != nil {
				return nil, fmt.Errorf("find a free port: %w", err)
			}
			defer listener.Close()
			*port = listener.Addr().(*net.TCPAddr).Port
		}
	}
	return all, nil
}

// listenBetween listens on a random free port of a range.
func listenBetween(low, high int) (listener net.Listener, err error) {
	for range 100 {
		if listener, err = net.Listen("tcp", address(low+rand.IntN(high-low))); err == nil {
			return listener, nil
		}
	}
	return nil, err
}

// portsOf returns the ports of several instances: the given ports and the following ones, or free
// ones when none are given.
func portsOf(given Ports, instances int) ([]Ports, error) {
	if given == (Ports{}) {
		return freePorts(instances)
	}
	all := []Ports{given}
	for i := 1; i < instances; i++ {
		further, err := PortsFrom(given.Gateway + i*instanceStep)
		if err != nil {
			return nil, err
		}
		all = append(all, further)
	}
	return all, nil
}

// address returns host:port on this machine.
func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// portUse is a port with the name of its process.
type portUse struct {
	port int
	name string
}

// checkFree returns an error that lists every port that is in use. It retries for a moment: a
// process that is being started has copies of just closed listeners until its program runs.
func checkFree(uses []portUse) error {
	const pause, patience = 20 * time.Millisecond, time.Second
	deadline := time.Now().Add(patience)
	for {
		err := tryPorts(uses)
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(pause)
	}
}

// tryPorts listens on each port for an instant.
func tryPorts(uses []portUse) error {
	var taken []error
	for _, use := range uses {
		listener, err := net.Listen("tcp", address(use.port))
		if err != nil {
			taken = append(taken, fmt.Errorf("port %d for %s is taken", use.port, use.name))
			continue
		}
		listener.Close()
	}
	if len(taken) == 0 {
		return nil
	}
	return fmt.Errorf("%s (another LITFASS_PORT moves all of them)", oneLine(errors.Join(taken...)))
}
