package main

import (
	"context"

	"litfass/deploy/local/stack"
)

// measureMemory reads what each process has taken at most in the whole run, and what it holds now.
func (b *bench) measureMemory(context.Context) error {
	for _, row := range []struct{ name, aim string }{
		{stack.Admin, "150"}, {stack.Projector, "250"}, {stack.Query, "120"}, {stack.NATS, ""}, {stack.Meili, ""},
	} {
		pid := b.stack.Process(row.name).PID()
		peak, err := peakMB(pid)
		if err != nil {
			return err
		}
		share, err := shareMB(pid)
		if err != nil {
			return err
		}
		b.report.add("memory", row.name+", peak", peak, "MB", row.aim)
		b.report.add("memory", row.name+", now (PSS)", share, "MB", "")
	}
	return b.measurePostgresMemory()
}

// measurePostgresMemory adds up the shares of the server's processes: they share most of their pages.
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
	b.report.add("memory", stack.Postgres+", now (PSS of all processes)", sum, "MB", "")
	return nil
}
