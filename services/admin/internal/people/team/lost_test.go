package team_test

import (
	"net"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/platform/postgres"
)

// A database that cannot be reached is Unavailable, from the first query on.
func TestInviteWithoutDatabase(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := postgres.Open(t.Context(), "postgres://litfass@"+address+"/litfass?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	teams := team.New(team.Options{DB: db})
	ctx := auth.WithPrincipal(t.Context(), auth.Principal{UserID: 1, SessionID: "s"})
	_, err = teams.Invite(ctx, "0192f0a0-0000-7000-8000-000000000001", team.NewInvitation{Email: ulla})
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("got %v, want Unavailable", err)
	}
}
