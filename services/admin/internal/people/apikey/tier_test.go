package apikey_test

import (
	"testing"
	"time"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
)

// TestTier: the operator gives a key another tier, which its owner and its principal see, and the
// audit keeps.
func TestTier(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna := w.member(t, "anna@example.org", permission.All)
	key, text := w.create(t, anna, w.org, apikey.NewKey{Name: "x", Permissions: permission.All})
	gone, _ := w.create(t, anna, w.org, apikey.NewKey{Name: "gone"})
	if err := w.stack.APIKeys.Revoke(as(t, anna), w.org, gone.UUID); err != nil {
		t.Fatal(err)
	}
	tiers := map[string]int{"standard": 10, "partner": 100}
	for _, test := range []struct{ id, tier, code string }{
		{key.UUID, "partner", ""},
		{key.UUID, "gold", "tier_unknown"},
		{key.UUID, "", "tier_unknown"},
		{gone.UUID, "partner", "api_key_not_found"},
		{w.org, "partner", "api_key_not_found"},
	} {
		if err := w.stack.APIKeys.SetTier(t.Context(), test.id, test.tier, tiers); code(err) != test.code {
			t.Errorf("%s %q: %v, want %q", test.id, test.tier, err, test.code)
		}
	}
	list, err := w.stack.APIKeys.List(as(t, anna), w.org, paging.Page{Limit: 10})
	if err != nil || key.Tier != "standard" || len(list.APIKeys) != 1 || list.APIKeys[0].Tier != "partner" {
		t.Errorf("made as %q, listed %+v, %v", key.Tier, list.APIKeys, err)
	}
	var who auth.Principal
	if who, err = w.stack.APIKeys.Authenticate(t.Context(), text); err != nil || who.KeyTier != "partner" {
		t.Errorf("%+v, %v", who, err)
	}
	var entries int
	err = w.db.QueryRow(t.Context(), `
SELECT count(*)
FROM audit_entry
WHERE action = 'api_key.tier' AND entity_id = $1 AND org_uuid = $2 AND before = '{"tier": "standard"}'
    AND after = '{"tier": "partner"}' AND at <= $3`, key.UUID, w.org, w.clock.Now().Add(time.Second)).Scan(&entries)
	if err != nil || entries != 1 {
		t.Errorf("%d entries, %v", entries, err)
	}
}
