package litfass

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The reasons for which a notification is refused.
var (
	ErrNoSignature    = errors.New("litfass: the headers of a signed notification are missing")
	ErrOldTimestamp   = errors.New("litfass: the notification was not sent just now")
	ErrWrongSignature = errors.New("litfass: no signature of the notification fits")
)

const (
	defaultTolerance = 5 * time.Minute
	// maxSignatures is more than two secrets ever sign.
	maxSignatures = 16
)

// Notification is what a webhook is sent. A repeated one has the same ID.
type Notification struct {
	ID        string          `json:"-"`
	Type      string          `json:"type"` // such as event.updated
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"` // the entity, or only its uuid
}

// Verifier verifies the notifications of a webhook by their signatures, as Standard Webhooks
// describes them.
type Verifier struct {
	// Secrets are those that may have signed, each as it was shown, with whsec_: while one is
	// exchanged for another, both.
	Secrets   []string
	Tolerance time.Duration    // between the clocks and on the way; 0: 5 minutes
	Now       func() time.Time // nil: time.Now
}

// Verify returns the notification that a request with these headers and exactly this body is, if
// one of the secrets signed it.
func (v Verifier) Verify(header http.Header, body []byte) (*Notification, error) {
	id, sent, signatures := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if id == "" || signatures == "" || err != nil {
		return nil, ErrNoSignature
	}
	now, tolerance := time.Now(), defaultTolerance
	if v.Now != nil {
		now = v.Now()
	}
	if v.Tolerance > 0 {
		tolerance = v.Tolerance
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return nil, ErrOldTimestamp
	}
	fits, err := v.signed(id+"."+sent+"."+string(body), signatures)
	if err != nil {
		return nil, err
	}
	if !fits {
		return nil, ErrWrongSignature
	}
	notification := &Notification{ID: id}
	if err := json.Unmarshal(body, notification); err != nil {
		return nil, fmt.Errorf("litfass: the notification is not JSON: %w", err)
	}
	return notification, nil
}

// signed reports whether one of the signatures of a text is by one of the secrets.
func (v Verifier) signed(text, signatures string) (fits bool, err error) {
	if len(v.Secrets) == 0 {
		return false, errors.New("litfass: there is no secret to verify by")
	}
	given := strings.Fields(signatures)
	for _, secret := range v.Secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return false, errors.New("litfass: a secret of a webhook is whsec_ and base64")
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(text))
		want := mac.Sum(nil)
		for _, signature := range given[:min(len(given), maxSignatures)] {
			encoded, known := strings.CutPrefix(signature, "v1,")
			got, err := base64.StdEncoding.DecodeString(encoded)
			if known && err == nil && hmac.Equal(got, want) {
				fits = true
			}
		}
	}
	return fits, nil
}
