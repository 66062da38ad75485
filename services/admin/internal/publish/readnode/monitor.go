// Package readnode shows platform administrators the progress of the read nodes, from the state of
// their projectors in the stream and the announcements of their query services.
package readnode

import (
	"context"
	"sync"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/adminapi"
)

const (
	queryTime = 5 * time.Second // for all requests to the stream for one list
	patience  = 5 * time.Second // for changes in flight; a node with older ones lags
	silence   = 5 * time.Second // query services announce themselves every second
)

// Stream is the part of stream.Stream that the monitor uses.
type Stream interface {
	Connected() bool
	LastSequence(ctx context.Context) (uint64, error)
	ReadNodes(ctx context.Context) ([]stream.ReadNode, error)
	OnServing(fn func(stream.Serving)) (unsubscribe func(), err error)
	OnComplete(fn func(stream.Completion)) (unsubscribe func(), err error)
}

// Monitor listens to announcements, and queries the stream for each list. It is safe for concurrent
// use.
type Monitor struct {
	stream Stream
	now    func() time.Time

	mu       sync.Mutex
	position uint64                  // that the relay announced last; 0: none
	form     string                  // that the relay announced last; "": several
	formFrom uint64                  // sequence up to which the stream was published in it then
	serving  map[string]announcement // by read node
}

// announcement is the last announcement of the query services of a read node.
type announcement struct {
	position uint64
	at       time.Time
	readyAt  time.Time // when one was ready for the last time
}

// New returns a monitor, which listens only while Run does.
func New(stream Stream, now func() time.Time) *Monitor {
	return &Monitor{stream: stream, now: now, serving: map[string]announcement{}}
}

// Run listens until ctx ends, and returns nil then. It returns an error when the connection to NATS
// was closed.
func (m *Monitor) Run(ctx context.Context) error {
	stopServing, err := m.stream.OnServing(m.hearServing)
	if err != nil {
		return err
	}
	defer stopServing()
	stopComplete, err := m.stream.OnComplete(m.hearComplete)
	if err != nil {
		return err
	}
	defer stopComplete()
	<-ctx.Done()
	return nil
}

func (m *Monitor) hearServing(what stream.Serving) {
	m.mu.Lock()
	defer m.mu.Unlock()
	heard := m.serving[what.Node]
	heard.position, heard.at = what.Position, m.now()
	if what.Ready {
		heard.readyAt = heard.at
	}
	m.serving[what.Node] = heard
}

func (m *Monitor) hearComplete(what stream.Completion) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.position = what.Position
	if what.Form != m.form {
		m.form, m.formFrom = what.Form, what.Sequence
	}
}

// List returns all read nodes by name, or an Unavailable fault when the stream does not answer in
// time.
func (m *Monitor) List(ctx context.Context) (adminapi.ReadNodes, error) {
	shown := adminapi.ReadNodes{Nodes: []adminapi.ReadNode{}}
	ctx, cancel := context.WithTimeout(ctx, queryTime)
	defer cancel()
	nodes, err := m.query(ctx, &shown.Published)
	if err != nil {
		return shown, fault.Wrap(err, fault.Unavailable, "stream_unavailable", "the stream does not answer")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	shown.Position, shown.Form = m.position, m.form
	for _, node := range nodes {
		shown.Nodes = append(shown.Nodes, m.show(node, m.now()))
	}
	return shown, nil
}

// query reads the newest sequence and the nodes from the stream.
func (m *Monitor) query(ctx context.Context, published *uint64) (nodes []stream.ReadNode, err error) {
	if !m.stream.Connected() {
		return nil, fault.New(fault.Unavailable, "", "not connected")
	}
	if *published, err = m.stream.LastSequence(ctx); err != nil {
		return nil, err
	}
	return m.stream.ReadNodes(ctx)
}

// show returns the list entry of a node; m.mu must be held.
func (m *Monitor) show(node stream.ReadNode, now time.Time) adminapi.ReadNode {
	shown := adminapi.ReadNode{
		Name: node.Name, State: adminapi.ReadNodeCurrent, Applied: node.Applied, Pending: node.Pending,
		WaitingSince: known(node.Oldest), HeardAt: known(node.Heard), Dead: node.Dead,
	}
	switch {
	case !node.Leased:
		shown.State = adminapi.ReadNodeDown
	case node.Pending > 0 && now.Sub(node.Oldest) > patience:
		shown.State = adminapi.ReadNodeBehind
	}
	if node.Applied >= m.formFrom {
		shown.Form = m.form
	}
	if heard := m.serving[node.Name]; now.Sub(heard.at) <= silence {
		shown.Answering = &adminapi.Answering{
			Ready: now.Sub(heard.readyAt) <= silence, Position: heard.position, HeardAt: heard.at,
		}
	}
	return shown
}

// known returns nil for the zero time.
func known(moment time.Time) *time.Time {
	if moment.IsZero() {
		return nil
	}
	return &moment
}
