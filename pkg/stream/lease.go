package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	leaseLife  = 4 * time.Second // a holder that died is forgotten after this
	leaseRenew = time.Second
	leaseGrace = 3 * time.Second // a holder that could not renew for so long gives up, before another may begin
	leaseRetry = 250 * time.Millisecond
)

// ErrLeaseLost is why the context of HoldLease ended early: another process may be the holder now.
var ErrLeaseLost = errors.New("lost the lease")

// HoldLease waits until this process holds the lease called name, runs fn, and gives the lease back. At most one process
// holds a lease: the context of fn ends when it cannot be renewed any more, with ErrLeaseLost as its cause. holder
// identifies the process for people, and to itself after the connection was lost.
//
// name and holder may hold letters, digits, - and _.
func (s *Stream) HoldLease(ctx context.Context, name, holder string, fn func(ctx context.Context) error) error {
	leases, err := s.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket:      s.config.Name + "_LEASES",
		Description: "which process writes the index of which read node",
		TTL:         leaseLife,
		Replicas:    s.config.Replicas,
	})
	if err != nil {
		return fmt.Errorf("open leases: %w", err)
	}
	l := &lease{leases: leases, name: name, holder: holder}
	if err := l.acquire(ctx); err != nil {
		return fmt.Errorf("lease %s: %w", name, err)
	}
	held, cancel := context.WithCancelCause(ctx)
	renewing := make(chan struct{})
	go func() {
		defer close(renewing)
		cancel(l.renew(held))
	}()
	err = fn(held)
	cancel(nil)
	<-renewing
	l.release()
	return err
}

type lease struct {
	leases       jetstream.KeyValue
	name, holder string
	revision     uint64
	renewed      time.Time // when the last renewal that succeeded began
}

func (l *lease) acquire(ctx context.Context) error {
	for {
		owner, err := l.try(ctx)
		if err == nil && owner == l.holder {
			return nil
		}
		if waitErr := pause(ctx, leaseRetry); waitErr != nil {
			if err == nil {
				err = fmt.Errorf("held by %s", owner)
			}
			return fmt.Errorf("%w: %w", waitErr, err)
		}
	}
}

// try returns who holds the lease now.
func (l *lease) try(ctx context.Context) (owner string, err error) {
	l.renewed = time.Now()
	l.revision, err = l.leases.Create(ctx, l.name, []byte(l.holder))
	if err == nil {
		return l.holder, nil
	}
	if !errors.Is(err, jetstream.ErrKeyExists) {
		return "", err
	}
	entry, err := l.leases.Get(ctx, l.name)
	if err != nil {
		return "", err
	}
	if string(entry.Value()) != l.holder {
		return string(entry.Value()), nil
	}
	l.revision, err = l.leases.Update(ctx, l.name, []byte(l.holder), entry.Revision()) // ours from before
	return l.holder, err
}

// renew returns when ctx ends or the lease is lost.
func (l *lease) renew(ctx context.Context) error {
	ticker := time.NewTicker(leaseRenew)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		began := time.Now()
		attempt, cancel := context.WithTimeout(ctx, leaseRenew)
		revision, err := l.leases.Update(attempt, l.name, []byte(l.holder), l.revision)
		cancel()
		switch {
		case err == nil:
			l.revision, l.renewed = revision, began
		case isConflict(err), time.Since(l.renewed) > leaseGrace:
			return fmt.Errorf("%w: %w", ErrLeaseLost, err)
		}
	}
}

// release lets the next holder begin at once; if it fails, the lease ends by itself.
func (l *lease) release() {
	ctx, cancel := context.WithTimeout(context.Background(), leaseRenew)
	defer cancel()
	_ = l.leases.Delete(ctx, l.name, jetstream.LastRevision(l.revision))
}
