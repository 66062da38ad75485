package session_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/session"
)

var now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// refresher returns a refresher over a service that answers with the given function.
func refresher(t *testing.T, answer http.HandlerFunc) *session.Refresher {
	t.Helper()
	service := httptest.NewServer(answer)
	t.Cleanup(service.Close)
	return session.NewRefresher(client.New(service.URL, "", 5*time.Second), func() time.Time { return now })
}

// pairs answers each refresh with another pair, and counts them.
func pairs(count *atomic.Int32) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"access_token": "access %d", "refresh_token": "next of %s", "expires_in": 900}`,
			count.Add(1), r.Header.Get("Authorization"))
	}
}

func TestATokenIsDueBeforeItEnds(t *testing.T) {
	r := refresher(t, http.NotFound)
	for ends, want := range map[time.Duration]bool{-time.Hour: true, 10 * time.Second: true, time.Minute: false} {
		if got := r.Due(&session.Session{Expires: now.Add(ends)}); got != want {
			t.Errorf("%s before its end it is due: %t", ends, got)
		}
	}
}

// TestTwoTabsRefreshOnce: the admin service takes a refresh token that is sent again for stolen.
func TestTwoTabsRefreshOnce(t *testing.T) {
	var count atomic.Int32
	arrived, release := make(chan struct{}, 8), make(chan struct{})
	answer := pairs(&count)
	r := refresher(t, func(w http.ResponseWriter, request *http.Request) {
		arrived <- struct{}{}
		<-release
		answer(w, request)
	})
	var tabs sync.WaitGroup
	got := make([]*session.Session, 8)
	for i := range got {
		tabs.Go(func() {
			var err error
			if got[i], err = r.Refresh(t.Context(), &session.Session{Refresh: "token", UserID: 7, Name: fmt.Sprint(i)}, "", ""); err != nil {
				t.Error(err)
			}
		})
	}
	<-arrived
	close(release)
	tabs.Wait()
	if count.Load() != 1 {
		t.Fatalf("refreshed %d times", count.Load())
	}
	for i, s := range got {
		if s.Access != "access 1" || s.Refresh != "next of Bearer token" || s.UserID != 7 || s.Name != fmt.Sprint(i) || !s.Expires.Equal(now.Add(15*time.Minute)) {
			t.Errorf("tab %d has %+v", i, s)
		}
	}
}

// TestABrowserThatMissedTheAnswer asks with the former token again, and gets the same successor.
func TestABrowserThatMissedTheAnswer(t *testing.T) {
	var count atomic.Int32
	r := refresher(t, pairs(&count))
	former := &session.Session{Refresh: "token", UserID: 7}
	first, err := r.Refresh(t.Context(), former, "", "")
	if err != nil {
		t.Fatal(err)
	}
	again, err := r.Refresh(t.Context(), former, "", "")
	if err != nil || *again != *first || count.Load() != 1 {
		t.Errorf("%+v after %+v, %d refreshes, %v", again, first, count.Load(), err)
	}
	if next, err := r.Refresh(t.Context(), first, "", ""); err != nil || next.Access != "access 2" {
		t.Errorf("the successor is refreshed as %+v, %v", next, err)
	}
}

// TestAFailureIsNotRemembered: only an ended session is a reason to log in again, and the next
// request tries once more.
func TestAFailureIsNotRemembered(t *testing.T) {
	var count atomic.Int32
	var status atomic.Int32
	answer := pairs(&count)
	r := refresher(t, func(w http.ResponseWriter, request *http.Request) {
		if code := int(status.Load()); code != http.StatusOK {
			w.WriteHeader(code)
			_, _ = w.Write([]byte(`{"error": "no", "code": "no"}`))
			return
		}
		answer(w, request)
	})
	for code, kind := range map[int]fault.Kind{http.StatusServiceUnavailable: fault.Unavailable, http.StatusUnauthorized: fault.Unauthenticated} {
		status.Store(int32(code))
		if _, err := r.Refresh(t.Context(), &session.Session{Refresh: "token"}, "", ""); !fault.Is(err, kind) {
			t.Errorf("%d is %v, want %s", code, err, kind)
		}
	}
	status.Store(http.StatusOK)
	if _, err := r.Refresh(t.Context(), &session.Session{Refresh: "token"}, "", ""); err != nil {
		t.Error(err)
	}
}
