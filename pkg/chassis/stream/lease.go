package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	leaseLife  = 4 * time.Second // after this the lease of a holder that died expires
	leaseRenew = time.Second
	leaseGrace = 3 * time.Second // a holder that could not renew for this long stops, before another may start
	leaseRetry = 250 * time.Millisecond
)

// OtherLease begins the names of leases that are not those of a read node.
const OtherLease = "_"

// ErrLeaseLost is the cause with which HoldLease cancels its context when it could not renew the
// lease: another process may hold it now.
var ErrLeaseLost = errors.New("lost the lease")

// HoldLease waits until this process holds the lease of the given name, runs fn, and releases the
// lease. At most one process holds a lease at a time: the context of fn is cancelled with the cause
// ErrLeaseLost when the lease cannot be renewed. holder identifies the process in logs, and lets it
// take its own lease back after the connection was lost.
//
// name and holder may contain letters, digits, - and _. HoldLease returns the error of fn, or the
// cause of ctx when that ends first.
func (s *Stream) HoldLease(ctx context.Context, name, holder string, fn func(ctx context.Context) error) error {
	leases, err := s.openLeases(ctx)
	if err != nil {
		return fmt.Errorf("open leases: %w", err)
	}
	l := &lease{leases: leases, name: name, holder: holder}
	if err := l.acquire(ctx); err != nil {
		return fmt.Errorf("lease %s: %w", name, err)
	}
	leading, cancel := context.WithCancelCause(ctx)
	renewing := make(chan struct{})
	go func() {
		defer close(renewing)
		cancel(l.renew(leading))
	}()
	err = fn(leading)
	cancel(nil)
	<-renewing
	l.release()
	return err
}

func (s *Stream) leasesName() string { return s.config.Name + "_LEASES" }

// openLeases returns the leases, and creates what holds them if that is missing.
func (s *Stream) openLeases(ctx context.Context) (jetstream.KeyValue, error) {
	looking, cancel := ofOneRequest(ctx)
	defer cancel()
	found, err := s.js.KeyValue(looking, s.leasesName())
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return s.ensureLeases(ctx)
	}
	return found, err
}

func (s *Stream) ensureLeases(ctx context.Context) (jetstream.KeyValue, error) {
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	return s.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket:      s.leasesName(),
		Description: "which process writes the index of which read node, or does another task",
		TTL:         leaseLife,
		Replicas:    s.config.Replicas,
	})
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

// try takes the lease if it is free and returns its present holder.
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

// release frees the lease for the next holder; if that fails, the lease expires.
func (l *lease) release() {
	ctx, cancel := context.WithTimeout(context.Background(), leaseRenew)
	defer cancel()
	_ = l.leases.Delete(ctx, l.name, jetstream.LastRevision(l.revision))
}
