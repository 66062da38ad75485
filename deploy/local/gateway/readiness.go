package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// status is the body of /readyz, as the services write it.
type status struct {
	Status string            `json:"status"`
	Checks map[string]string `json:"checks,omitempty"`
}

// readiness answers /readyz of the base address. Once everything has been ready it remains so: a
// later lag is normal work, and each service has its own /readyz.
type readiness struct {
	config Config
	once   atomic.Bool
}

func newReadiness(config Config) *readiness { return &readiness{config: config} }

// ServeHTTP answers 200 when ready, else 503 with the missing parts.
func (r *readiness) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if r.once.Load() {
		writeJSON(w, http.StatusOK, status{Status: "ok"})
		return
	}
	ctx, cancel := context.WithTimeout(request.Context(), 5*time.Second)
	defer cancel()
	checks := check(ctx, r.config)
	if missing(checks) != "" {
		w.Header().Set("Retry-After", "1")
		writeJSON(w, http.StatusServiceUnavailable, status{Status: "unavailable", Checks: checks})
		return
	}
	r.once.Store(true)
	writeJSON(w, http.StatusOK, status{Status: "ok", Checks: checks})
}

// Missing returns in one line the parts that are not ready or not caught up, or "".
func Missing(ctx context.Context, config Config) string {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return missing(check(ctx, config))
}

func missing(checks map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(checks)) {
		if checks[name] != "ok" {
			parts = append(parts, name+" "+checks[name])
		}
	}
	return strings.Join(parts, "; ")
}

// check asks the services in the direction of the data. Admin is ready once its outbox has been
// empty. Only then are the projectors asked whether their indexes hold all of the stream: in the
// other order a change could be missed between the two. Each result is "ok" or what is missing.
func check(ctx context.Context, config Config) map[string]string {
	checks := map[string]string{}
	each := func(name string, addresses []string, ask func(context.Context, string) error) {
		for i, address := range addresses {
			checks[numbered(name, i)] = "ok"
			if err := ask(ctx, address); err != nil {
				checks[numbered(name, i)] = err.Error()
			}
		}
	}
	each("admin", config.Admin, isReady)
	each("projector", config.Projector, isReady)
	each("index", config.Projector, CaughtUp)
	each("query", config.Query, isReady)
	each("site", config.Site, isReady)
	each("console", config.Console, isReady)
	return checks
}

// numbered returns the plain name for the first instance, and numbered ones for the others: query,
// query-2, query-3.
func numbered(name string, i int) string {
	if i == 0 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, i+1)
}

// isReady asks one service's /readyz.
func isReady(ctx context.Context, address string) error {
	response, err := get(ctx, address+"/readyz")
	if err != nil {
		return errors.New("does not answer")
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		return nil
	}
	var body status
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<16)).Decode(&body); err != nil {
		return fmt.Errorf("answers %s", response.Status)
	}
	var missing []string
	for name, result := range body.Checks {
		if result != "ok" {
			missing = append(missing, name+": "+result)
		}
	}
	return errors.New("not ready: " + strings.Join(missing, "; "))
}

// CaughtUp returns nil when the index holds everything that is in the stream now. It asks the
// projector at the given address.
func CaughtUp(ctx context.Context, projector string) error {
	response, err := get(ctx, projector+"/lag")
	if err != nil {
		return errors.New("its projector does not answer")
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New("has not started to fill")
	}
	var lag struct {
		Pending *uint64 `json:"pending"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<16)).Decode(&lag); err != nil || lag.Pending == nil {
		return errors.New("its projector sends an unexpected answer")
	}
	if *lag.Pending > 0 {
		return fmt.Errorf("%d changes behind", *lag.Pending)
	}
	return nil
}

func get(ctx context.Context, url string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(request)
}
