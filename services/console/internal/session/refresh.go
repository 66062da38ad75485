package session

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"golang.org/x/sync/singleflight"

	"litfass/services/console/internal/client"
)

const (
	// early is how long before its end an access token is replaced, so that it lasts for a request.
	early = 30 * time.Second
	// remembered is how long the successor of a session is cached: a browser that missed the answer
	// sends the old refresh token again, which the admin service would treat as theft.
	remembered = 5 * time.Minute
	// maxRemembered successors are cached at once.
	maxRemembered = 1 << 14
)

// Refresher replaces access tokens before they expire. It is safe for concurrent use: requests of
// two tabs get the same successor.
type Refresher struct {
	admin *client.Client
	now   func() time.Time
	done  *expirable.LRU[[sha256.Size]byte, Session] // successors by the digest of the refresh token
	group singleflight.Group
}

// NewRefresher returns a Refresher that asks the admin service.
func NewRefresher(admin *client.Client, now func() time.Time) *Refresher {
	return &Refresher{
		admin: admin, now: now,
		done: expirable.NewLRU[[sha256.Size]byte, Session](maxRemembered, nil, remembered),
	}
}

// Due reports whether the access token of a session has to be replaced before it is used.
func (r *Refresher) Due(s *Session) bool { return r.now().Add(early).After(s.Expires) }

// Refresh returns the successor of a session. address and agent are the person's. The error is an
// Unauthenticated fault when the session has ended.
func (r *Refresher) Refresh(ctx context.Context, s *Session, address, agent string) (*Session, error) {
	digest := sha256.Sum256([]byte(s.Refresh))
	if next, found := r.done.Get(digest); found {
		return r.named(s, next), nil
	}
	made, err, _ := r.group.Do(string(digest[:]), func() (any, error) {
		if next, found := r.done.Get(digest); found {
			return next, nil
		}
		// Others wait for it, so it ends with its own deadline and not with this request.
		next, err := r.exchange(context.WithoutCancel(ctx), s, address, agent)
		if err == nil {
			r.done.Add(digest, next)
		}
		return next, err
	})
	if err != nil {
		return nil, err
	}
	return r.named(s, made.(Session)), nil
}

// named returns next with the person of a session.
func (r *Refresher) named(s *Session, next Session) *Session {
	next.UserID, next.Name, next.Locale, next.Theme = s.UserID, s.Name, s.Locale, s.Theme
	return &next
}

func (r *Refresher) exchange(ctx context.Context, s *Session, address, agent string) (Session, error) {
	got, err := client.NewAdmin(func(call client.Call) (client.Answer, error) {
		call.Token, call.Address, call.Agent = s.Refresh, address, agent
		return r.admin.Do(ctx, call)
	}).Refresh()
	if err != nil {
		return Session{}, err
	}
	return Session{
		Access: got.AccessToken, Refresh: got.RefreshToken, Expires: r.now().Add(time.Duration(got.ExpiresIn) * time.Second),
	}, nil
}
