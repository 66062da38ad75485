package litfass_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	litfass "litfass/deploy/clients/go"
)

const notification = `{"type": "event.updated", "timestamp": "2026-11-20T18:30:00Z", "data": {"uuid": "e", "title": "Käse"}}`

var (
	oldSecret  = "whsec_" + base64.StdEncoding.EncodeToString([]byte("an old secret of 24 bytes"))
	nextSecret = "whsec_" + base64.StdEncoding.EncodeToString([]byte("the next one of 24 bytes"))
	sentAt     = time.Unix(1_795_000_000, 0)
)

// sign signs as Standard Webhooks describes it.
func sign(secret, id string, at time.Time, body string) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		panic(err)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", id, at.Unix(), body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func signed(at time.Time, signature string) http.Header {
	h := http.Header{}
	h.Set("webhook-id", "n-1")
	h.Set("webhook-timestamp", strconv.FormatInt(at.Unix(), 10))
	h.Set("webhook-signature", signature)
	return h
}

func TestVerify(t *testing.T) {
	by := func(secret string) string { return sign(secret, "n-1", sentAt, notification) }
	late := sentAt.Add(-301 * time.Second)
	unnamed := signed(sentAt, by(oldSecret))
	unnamed.Del("webhook-id")
	for name, c := range map[string]struct {
		header  http.Header
		body    string
		secrets []string
		want    error
	}{
		"signed":             {signed(sentAt, by(oldSecret)), notification, []string{oldSecret}, nil},
		"by the old of both": {signed(sentAt, "v1a,x "+by(nextSecret)+" "+by(oldSecret)), notification, []string{oldSecret}, nil},
		"by one of both":     {signed(sentAt, by(nextSecret)), notification, []string{oldSecret, nextSecret}, nil},
		"by another":         {signed(sentAt, by(nextSecret)), notification, []string{oldSecret}, litfass.ErrWrongSignature},
		"of another id":      {signed(sentAt, sign(oldSecret, "n-2", sentAt, notification)), notification, []string{oldSecret}, litfass.ErrWrongSignature},
		"another body":       {signed(sentAt, by(oldSecret)), notification + " ", []string{oldSecret}, litfass.ErrWrongSignature},
		"another version":    {signed(sentAt, strings.Replace(by(oldSecret), "v1,", "v2,", 1)), notification, []string{oldSecret}, litfass.ErrWrongSignature},
		"half a signature":   {signed(sentAt, by(oldSecret)[:20]), notification, []string{oldSecret}, litfass.ErrWrongSignature},
		"an empty one":       {signed(sentAt, "v1,"), notification, []string{oldSecret}, litfass.ErrWrongSignature},
		"too late":           {signed(late, sign(oldSecret, "n-1", late, notification)), notification, []string{oldSecret}, litfass.ErrOldTimestamp},
		"from the future":    {signed(sentAt.Add(301*time.Second), by(oldSecret)), notification, []string{oldSecret}, litfass.ErrOldTimestamp},
		"without headers":    {http.Header{}, notification, []string{oldSecret}, litfass.ErrNoSignature},
		"without an id":      {unnamed, notification, []string{oldSecret}, litfass.ErrNoSignature},
	} {
		n, err := litfass.Verifier{Secrets: c.secrets, Now: func() time.Time { return sentAt }}.Verify(c.header, []byte(c.body))
		if !errors.Is(err, c.want) || err == nil && (n.ID != "n-1" || n.Type != "event.updated" || !strings.Contains(string(n.Data), "Käse")) {
			t.Errorf("%s: %+v, %v", name, n, err)
		}
	}
	for _, secrets := range [][]string{nil, {""}, {"whsec_"}, {"whsec_?"}} {
		_, err := litfass.Verifier{Secrets: secrets, Now: func() time.Time { return sentAt }}.Verify(signed(sentAt, by(oldSecret)), []byte(notification))
		if err == nil || errors.Is(err, litfass.ErrWrongSignature) {
			t.Errorf("%q: %v", secrets, err)
		}
	}
}
