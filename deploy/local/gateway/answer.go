package gateway

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"

	"github.com/google/uuid"
)

// failure is the shape of every error (RULES.md, Responses).
type failure struct {
	Error      string   `json:"error"`
	Code       string   `json:"code"`
	Details    []string `json:"details"`
	RetryAfter int      `json:"retry_after,omitempty"`
	RequestID  string   `json:"request_id"`
}

// saneID is the accepted form of a caller's request id, the same as in the services.
var saneID = regexp.MustCompile(`^[A-Za-z0-9._-]{8,64}$`)

// fail answers with an error in the shape that the services use. A 503 asks for a retry after two
// seconds.
func fail(w http.ResponseWriter, r *http.Request, code int, stable, text string) {
	id := r.Header.Get("X-Request-Id")
	if !saneID.MatchString(id) {
		id = uuid.Must(uuid.NewV7()).String() // fails only without a source of randomness
	}
	w.Header().Set("X-Request-Id", id)
	answer := failure{Error: text, Code: stable, Details: []string{}, RequestID: id}
	if code == http.StatusServiceUnavailable {
		answer.RetryAfter = 2
	}
	writeJSON(w, code, answer)
}

// waiting is the page for browsers while a service is down, in particular while the launcher builds
// the pages. The browser asks again by itself.
const waiting = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="2">
<title>Not there yet</title>
<p>This part of Litfass is being built or restarted. The page appears here once it answers.
</html>
`

// notSent is the page for browsers whose form was not taken, since the service is down. The page
// does not ask again, so that the browser can go back to the text.
const notSent = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Not sent</title>
<p>This part of Litfass is being built or restarted, and may not have received what you sent. Go back, and send it again.
</html>
`

// unavailablePage answers a browser for a service that is down.
func unavailablePage(w http.ResponseWriter, r *http.Request) {
	page := notSent
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		page = waiting
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(w, page) // fails when the client has disconnected
}

func writeJSON(w http.ResponseWriter, code int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(value) // fails when the client has disconnected
}
