package main

import (
	"log/slog"
	"math"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

const (
	// usualMemory is the memory of the process if nothing limits it: the limit of its container in the
	// manifest.
	usualMemory = 256 << 20
	// usable is the part of a container's memory in per cent that the runtime may fill: the
	// program itself takes some 30 MB, and the collector needs room.
	usable = 80
	// besidesCache is the memory that the runtime may need in addition to cached answers, most of it
	// for rendering images and for popular variants.
	besidesCache = 144 << 20
)

// tuneMemory configures the garbage collector for the memory of the process and returns the bytes
// for cached answers: CACHE_BYTES, or a quarter of that memory if it is nil.
//
// A request leaves much garbage and little live data, so that with the default settings the
// collector would run dozens of times a second. Operators override both by the runtime's own
// variables.
func tuneMemory(cacheSize *int, log *slog.Logger) (cacheBytes int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	limit, fixed := memoryLimit(debug.SetMemoryLimit(-1), memlimit.FromCgroup)
	defer func() { debug.SetMemoryLimit(limit) }()
	if cacheSize == nil {
		return int(limit / 4)
	}
	switch needed := int64(*cacheSize) + besidesCache; {
	case needed <= limit:
	case fixed:
		log.Warn("cached answers may leave too little memory for the rest", "cache_bytes", *cacheSize, "memory_limit", limit)
	default:
		limit = needed
	}
	return *cacheSize
}

// memoryLimit returns the bytes that the runtime may use: GOMEMLIMIT, or else a part of the
// container's memory; math.MaxInt64 if neither is set. fixed is false if nothing limits it.
func memoryLimit(fromEnvironment int64, container memlimit.Provider) (limit int64, fixed bool) {
	if fromEnvironment < math.MaxInt64 {
		return fromEnvironment, true
	}
	const atLeast = 64 << 20 // less is not a container that the service runs in
	if bytes, err := container(); err == nil && bytes >= atLeast && bytes < math.MaxInt64/usable {
		return int64(bytes) / 100 * usable, true
	}
	return usualMemory / 100 * usable, false
}
