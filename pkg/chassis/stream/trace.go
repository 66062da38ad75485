package stream

import (
	"github.com/nats-io/nats.go"

	"litfass/pkg/chassis/tracing"
	"litfass/pkg/contracts/change"
)

// traceHeader returns the header with the trace of a change; nil outside of a trace.
func traceHeader(c change.Change) nats.Header {
	if c.Trace == "" {
		return nil
	}
	return nats.Header{tracing.Header: {c.Trace}}
}
