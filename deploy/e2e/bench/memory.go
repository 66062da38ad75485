package main

import (
	"context"

	"litfass/deploy/local/stack"
)

// measureMemory reads the peak and present memory of each process.
func (b *bench) measureMemory(context.Context) error {
	const mayUse = 256 << 20 / 1e6 // of the query service, a quarter of it for kept answers
	for _, row := range []struct {
		name string
		aim  float64
	}{{stack.Admin, 150}, {stack.Projector, 250}, {stack.Query, mayUse}, {stack.Site, 192}, {stack.Console, 320}, {stack.NATS, 0}, {stack.Meili, 0}} {
		pid := b.stack.Process(row.name).PID()
		peak, err := peakMB(pid)
		if err != nil {
			return err
		}
		share, err := shareMB(pid)
		if err != nil {
			return err
		}
		if row.aim > 0 {
			b.report.aimed("memory", row.name+", peak", peak, "MB", atMost(row.aim))
		} else {
			b.report.add("memory", row.name+", peak", peak, "MB")
		}
		b.report.add("memory", row.name+", now (PSS)", share, "MB")
	}
	return b.measurePostgresMemory()
}

// measurePostgresMemory adds up the proportional shares of the server's processes, which share most
// of their pages.
func (b *bench) measurePostgresMemory() error {
	pid := b.stack.Process(stack.Postgres).PID()
	var sum float64
	for _, id := range append(children(pid), pid) {
		share, err := shareMB(id)
		if err != nil {
			continue // a worker that has ended meanwhile
		}
		sum += share
	}
	b.report.add("memory", stack.Postgres+", now (PSS of all processes)", sum, "MB")
	return nil
}
