package webhook

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"litfass/services/admin/internal/platform/remote"
)

// Patience is how long an attempt may take. Senders of webhooks wait for 10 to 30 seconds.
const Patience = 10 * time.Second

const (
	claimed     = Patience + 5*time.Second // a delivery that is being sent is due again after that
	firstBytes  = 1000                     // of an answer, and characters of it
	givenUp     = 72 * time.Hour
	longestRest = 5 * time.Minute
	longestWait = 24 * time.Hour // that a receiver may ask for
)

// backoff are the pauses after attempts; the last one repeats until three days are over.
var backoff = []time.Duration{
	5 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour,
}

// pauseAfter returns the pause after a number of attempts, at least 1.
func pauseAfter(attempts int) time.Duration { return backoff[min(attempts, len(backoff))-1] }

// The problems of attempts.
const (
	problemNotPublic   = "not_public"
	problemTimeout     = "timeout"
	problemUnreachable = "unreachable"
	problemStatus      = "status"
	problemSecret      = "secret" // it cannot be opened
)

// outcome is the result of an attempt.
type outcome struct {
	status  int    // 0 without an answer
	answer  string // its beginning
	problem string // "" for a success
	wait    time.Duration
	took    time.Duration
}

func (o outcome) delivered() bool { return o.problem == "" }

// silent reports whether the address did not answer at all, or does not want to be asked.
func (o outcome) silent() bool {
	return o.problem == problemTimeout || o.problem == problemUnreachable || o.problem == problemNotPublic || o.wait > 0
}

// attempt sends a delivery once.
func (s *Service) attempt(ctx context.Context, d job) outcome {
	at := s.Now()
	secrets := []sealedSecret{d.Secret}
	if d.OldUntil != nil && d.OldUntil.After(at) {
		secrets = append(secrets, d.Old)
	}
	signature, err := s.sign(d.Webhook, d.UUID, at, d.Body, secrets...)
	if err != nil {
		s.Log.Error("a notification cannot be signed", "webhook", d.Webhook, "error", err.Error())
		return outcome{problem: problemSecret}
	}
	header := http.Header{
		"Content-Type": {"application/json"}, "User-Agent": {"Litfass"},
		"Webhook-Id": {d.UUID}, "Webhook-Timestamp": {strconv.FormatInt(at.Unix(), 10)}, "Webhook-Signature": {signature},
	}
	began := time.Now()
	answer, err := s.Poster.Post(ctx, d.URL, header, d.Body, firstBytes)
	result := outcome{status: answer.Status, answer: shown(answer.Begin), took: time.Since(began)}
	var network net.Error
	switch {
	case err == nil && answer.Status >= 200 && answer.Status < 300:
	case err == nil:
		result.problem = problemStatus
		if answer.Status == http.StatusTooManyRequests || answer.Status == http.StatusServiceUnavailable {
			result.wait = retryAfter(answer.Header.Get("Retry-After"))
		}
	case remote.IsNotPublic(err):
		result.problem = problemNotPublic
	case errors.As(err, &network) && network.Timeout():
		result.problem = problemTimeout
	default:
		result.problem = problemUnreachable
	}
	return result
}

// retryAfter returns the pause that a receiver asks for in seconds; 0 for none.
func retryAfter(text string) time.Duration {
	seconds, err := strconv.Atoi(text)
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(seconds)*time.Second, longestWait)
}

// shown returns the beginning of an answer as text that can be stored and shown.
func shown(begin []byte) string {
	text := strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(begin), ""))
	return strings.TrimSpace(text)
}
