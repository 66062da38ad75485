package main

import (
	"log/slog"
	"math"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

const (
	// usualMemory is what the process may use when nothing says how much that is: the limit of its
	// container in the manifest.
	usualMemory = 256 << 20
	// usable is the part of a container's memory in per cent that the runtime may fill: the
	// program itself takes some 30 MB, and the collector needs room.
	usable = 80
	// besidesCache is what the runtime may need besides kept answers, most of it for drawing
	// pictures and for the variants that are asked for often.
	besidesCache = 144 << 20
)

// tuneMemory sets how the collector uses the memory of the process and returns how many bytes of
// answers to keep: asked, CACHE_BYTES, or a quarter of that memory if it is nil.
//
// A request leaves much garbage and little that lasts, so that with the usual settings the
// collector would run dozens of times a second. Operators override both by the runtime's own
// variables.
func tuneMemory(asked *int, log *slog.Logger) (cacheBytes int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	limit, fixed := memoryLimit(debug.SetMemoryLimit(-1), memlimit.FromCgroup)
	defer func() { debug.SetMemoryLimit(limit) }()
	if asked == nil {
		return int(limit / 4)
	}
	switch needed := int64(*asked) + besidesCache; {
	case needed <= limit:
	case fixed:
		log.Warn("kept answers may leave too little memory for the rest", "cache_bytes", *asked, "memory_limit", limit)
	default:
		limit = needed
	}
	return *asked
}

// memoryLimit returns how many bytes the runtime may use: what GOMEMLIMIT says, math.MaxInt64 if
// nothing, or else a part of what the container may have. fixed is false when nothing limits it.
func memoryLimit(given int64, container memlimit.Provider) (limit int64, fixed bool) {
	if given < math.MaxInt64 {
		return given, true
	}
	const atLeast = 64 << 20 // less is not a container that the service runs in
	if bytes, err := container(); err == nil && bytes >= atLeast && bytes < math.MaxInt64/usable {
		return int64(bytes) / 100 * usable, true
	}
	return usualMemory / 100 * usable, false
}
