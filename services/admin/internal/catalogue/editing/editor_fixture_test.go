package editing

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/video"
	"litfass/pkg/media/blob"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/version"
)

const password = "right"

// house is a stage with an editor and another organization, neighbour, with a venue and a space of
// its own.
type house struct {
	*stage
	editor    *Editor
	images    *Images
	pictures  string // folder of the blob store
	clock     *authtest.Clock
	neighbour *rules.Organization
	barn      *rules.Venue
	loft      *rules.Space
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{stage: newStage(t), clock: authtest.NewClock()}
	h.editor = New(Options{
		VideoHosts: video.Hosts{"youtu.be"},
		DB:         h.db, Limiter: auth.NewLimiter(h.db, h.clock.Now), Now: h.clock.Now, Zone: time.UTC,
		Confirm: func(_ context.Context, given string) error {
			if given != password {
				return fault.New(fault.Forbidden, "wrong_password", "the password is wrong")
			}
			return nil
		},
	})
	h.pictures = t.TempDir()
	blobs, err := blob.Open(t.Context(), "file://"+filepath.ToSlash(h.pictures))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	h.images = NewImages(ImageOptions{Editor: h.editor, Blobs: blobs, Log: slog.New(slog.DiscardHandler)})
	h.neighbour = &rules.Organization{UUID: newID(), Name: "Jazzclub"}
	h.barn = &rules.Venue{UUID: newID(), OrgUUID: h.neighbour.UUID, Name: "Scheune"}
	h.loft = &rules.Space{UUID: newID(), VenueUUID: h.barn.UUID, Name: "Boden"}
	h.mustSave(h.neighbour, h.barn, h.loft)
	h.clearOutbox()
	return h
}

// member returns the context of a new user who is logged in, a member of the stage's organization
// with the permissions mine and of the neighbour with theirs; 0 is no member.
func (h *house) member(mine, theirs permission.Set) context.Context {
	h.Helper()
	id := authtest.User(h, h.db, newID()+"@example.org")
	if mine != 0 {
		authtest.Member(h, h.db, h.org.UUID, id, mine)
	}
	if theirs != 0 {
		authtest.Member(h, h.db, h.neighbour.UUID, id, theirs)
	}
	return auth.WithPrincipal(h.Context(), auth.Principal{UserID: id, SessionID: "a login"})
}

// audited returns the actions that were recorded for an organization, in order.
func (h *house) audited(org string) string {
	h.Helper()
	const actions = "SELECT coalesce(string_agg(action, ' ' ORDER BY id), '') FROM audit_entry WHERE org_uuid = $1"
	return one[string](h.stage, actions, org)
}

func (h *house) wantAudited(org string, actions ...string) {
	h.Helper()
	if got, want := h.audited(org), strings.Join(actions, " "); got != want {
		h.Fatalf("audited %q, want %q", got, want)
	}
}

// one reads a single value.
func one[T any](s *stage, query string, arguments ...any) T {
	s.Helper()
	var value T
	if err := s.db.Pool().QueryRow(s.Context(), query, arguments...).Scan(&value); err != nil {
		s.Fatal(err)
	}
	return value
}

// at is a target of one of the versions, or of any.
func at(key string, versions ...int64) Target {
	var tags []string
	for _, v := range versions {
		tags = append(tags, version.Tag(v))
	}
	return Target{Key: key, Expected: version.Parse(strings.Join(tags, ","))}
}

// wantFault checks that err is a fault of that kind and code; code "" stands for no error.
func (h *house) wantFault(what string, err error, kind fault.Kind, code string) {
	h.Helper()
	switch {
	case code == "" && err != nil:
		h.Fatalf("%s: %v", what, err)
	case code != "" && (!fault.Is(err, kind) || fault.Of(err).Code != code):
		h.Fatalf("%s: got %v, want %s", what, err, code)
	}
}
