package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"litfass/deploy/local/proc"
)

// indexingMemory limits the memory with which Meilisearch indexes a batch. It allocates buffers in
// proportion to that limit for every batch, however small: with its default, two thirds of the
// machine's memory, a change of one date costs several times as much.
const indexingMemory = "512MiB"

// indexingThreads is for small changes, too: each thread costs a batch 50 MiB that the engine
// clears first. With one instead of two on two cores, changes are public in two thirds of the time,
// and an import takes a tenth longer.
const indexingThreads = "1"

// Meilisearch is a local Meilisearch on 127.0.0.1.
type Meilisearch struct {
	Bin     string
	Data    string
	Port    int
	Key     string // master key
	LogFile string
}

// URL returns the address for clients.
func (m Meilisearch) URL() string { return "http://127.0.0.1:" + strconv.Itoa(m.Port) }

// Prepare creates the data folder.
func (m Meilisearch) Prepare() error { return os.MkdirAll(m.Data, 0o755) }

// Process returns the server as a process of the stack; call Prepare first. It runs in its
// development environment, which serves a search page at its address and still requires the key.
func (m Meilisearch) Process() *proc.Process {
	return proc.New(proc.Spec{
		Name: "Meilisearch",
		Command: []string{m.Bin,
			"--http-addr", "127.0.0.1:" + strconv.Itoa(m.Port),
			"--env", "development",
			"--no-analytics",
			"--max-indexing-memory", indexingMemory,
			"--max-indexing-threads", indexingThreads,
			"--db-path", filepath.Join(m.Data, "data.ms"),
			"--dump-dir", filepath.Join(m.Data, "dumps"),
			"--snapshot-dir", filepath.Join(m.Data, "snapshots"),
		},
		// The key is not an argument, because every user can see those. The log is a file and
		// should end with the reason of a failure.
		Env:     []string{"MEILI_MASTER_KEY=" + m.Key, "NO_COLOR=1", "RUST_BACKTRACE=0"},
		Dir:     m.Data,
		LogFile: m.LogFile,
		Ready:   func(ctx context.Context) error { return PingMeilisearch(ctx, m.URL(), m.Key) },
	})
}

// PingMeilisearch returns nil when a server answers, accepts the key, and has a supported version.
func PingMeilisearch(ctx context.Context, address, key string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(address, "/")+"/version", nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET /version answers %s", response.Status)
	}
	var answer struct {
		Version string `json:"pkgVersion"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return fmt.Errorf("GET /version: %w", err)
	}
	version, err := parseVersion(answer.Version)
	if err != nil {
		return err
	}
	return fitMeili(version)
}
