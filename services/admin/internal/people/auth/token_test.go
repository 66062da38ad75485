package auth_test

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
)

// forge signs a token by hand, for claims that no library would accept.
func forge(t *testing.T, header, claims map[string]any, sign func(data []byte) []byte) string {
	t.Helper()
	part := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(data)
	}
	data := part(header) + "." + part(claims)
	return data + "." + base64.RawURLEncoding.EncodeToString(sign([]byte(data)))
}

func with(base map[string]any, changes ...any) map[string]any {
	changed := maps.Clone(base)
	for i := 0; i < len(changes); i += 2 {
		if changes[i+1] == nil {
			delete(changed, changes[i].(string))
		} else {
			changed[changes[i].(string)] = changes[i+1]
		}
	}
	return changed
}

func TestForgedTokensAreRefused(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	clock := authtest.NewClock()
	stack := authtest.NewStack(t, db, clock)
	kid, key, err := stack.Keys.Signer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	public := key.Public().(ed25519.PublicKey)
	_, foreign, _ := ed25519.GenerateKey(nil)
	eddsa := func(data []byte) []byte { return ed25519.Sign(key, data) }
	byForeigner := func(data []byte) []byte { return ed25519.Sign(foreign, data) }
	hs256 := func(data []byte) []byte {
		mac := hmac.New(sha256.New, public)
		mac.Write(data)
		return mac.Sum(nil)
	}
	nothing := func([]byte) []byte { return nil }

	header := map[string]any{"alg": "EdDSA", "typ": "at+jwt", "kid": kid}
	now := clock.Now().Unix()
	claims := map[string]any{
		"iss": "litfass", "aud": []string{"litfass-admin"}, "sub": "1", "sid": uuid.NewString(),
		"iat": now, "nbf": now, "exp": now + 900,
	}
	whole := forge(t, header, claims, eddsa)
	if _, err := stack.Tokens.Parse(t.Context(), auth.AccessToken, whole); err != nil {
		t.Fatalf("the token that the others differ from: %v", err)
	}
	parts := strings.Split(whole, ".")
	tests := []struct {
		name, token, code string
	}{
		{"alg none", forge(t, with(header, "alg", "none"), claims, nothing), "token_invalid"},
		{"alg None", forge(t, with(header, "alg", "None"), claims, nothing), "token_invalid"},
		{"no alg", forge(t, with(header, "alg", nil), claims, eddsa), "token_invalid"},
		{"HS256 with the public key", forge(t, with(header, "alg", "HS256"), claims, hs256), "token_invalid"},
		{"ES256", forge(t, with(header, "alg", "ES256"), claims, eddsa), "token_invalid"},
		{"no signature", parts[0] + "." + parts[1] + ".", "token_invalid"},
		{"another's signature", forge(t, header, claims, byForeigner), "token_invalid"},
		{"other claims", parts[0] + "." + strings.Split(forge(t, header, with(claims, "sub", "2"), eddsa), ".")[1] + "." + parts[2],
			"token_invalid"},
		{"unknown kid", forge(t, with(header, "kid", uuid.NewString()), claims, eddsa), "token_invalid"},
		{"kid of another type", forge(t, with(header, "kid", 7), claims, eddsa), "token_invalid"},
		{"no kid", forge(t, with(header, "kid", nil), claims, eddsa), "token_invalid"},
		{"a key of its own", forge(t, with(header, "kid", nil, "jwk", map[string]any{"kty": "OKP"}), claims, byForeigner), "token_invalid"},
		{"a refresh token", forge(t, with(header, "typ", "rt+jwt"), claims, eddsa), "token_invalid"},
		{"no kind", forge(t, with(header, "typ", nil), claims, eddsa), "token_invalid"},
		{"kind JWT", forge(t, with(header, "typ", "JWT"), claims, eddsa), "token_invalid"},
		{"foreign audience", forge(t, header, with(claims, "aud", "litfass-portal"), eddsa), "token_invalid"},
		{"no audience", forge(t, header, with(claims, "aud", nil), eddsa), "token_invalid"},
		{"foreign issuer", forge(t, header, with(claims, "iss", "elsewhere"), eddsa), "token_invalid"},
		{"no issuer", forge(t, header, with(claims, "iss", nil), eddsa), "token_invalid"},
		{"no expiry", forge(t, header, with(claims, "exp", nil), eddsa), "token_invalid"},
		{"expiry as text", forge(t, header, with(claims, "exp", "tomorrow"), eddsa), "token_invalid"},
		{"expired", forge(t, header, with(claims, "exp", now-16), eddsa), "token_expired"},
		{"expired and forged", forge(t, header, with(claims, "exp", now-16), byForeigner), "token_invalid"},
		{"not yet valid", forge(t, header, with(claims, "nbf", now+16), eddsa), "token_invalid"},
		{"issued in the future", forge(t, header, with(claims, "iat", now+16), eddsa), "token_invalid"},
		{"no subject", forge(t, header, with(claims, "sub", nil), eddsa), "token_invalid"},
		{"subject 0", forge(t, header, with(claims, "sub", "0"), eddsa), "token_invalid"},
		{"negative subject", forge(t, header, with(claims, "sub", "-1"), eddsa), "token_invalid"},
		{"subject of words", forge(t, header, with(claims, "sub", "1 OR true"), eddsa), "token_invalid"},
		{"no session", forge(t, header, with(claims, "sid", nil), eddsa), "token_invalid"},
		{"session of words", forge(t, header, with(claims, "sid", "' OR ''='"), eddsa), "token_invalid"},
		{"empty", "", "token_invalid"},
		{"garbage", "garbage", "token_invalid"},
		{"dots", "..", "token_invalid"},
		{"five parts", whole + ".a.b", "token_invalid"},
		{"padding", whole + "=", "token_invalid"},
		{"very long", whole + strings.Repeat("A", 5000), "token_invalid"},
	}
	for _, test := range tests {
		_, err := stack.Tokens.Parse(t.Context(), auth.AccessToken, test.token)
		if !fault.Is(err, fault.Unauthenticated) || fault.Of(err).Code != test.code {
			t.Errorf("%s: %v, want %s", test.name, err, test.code)
		}
	}
}

func TestClocksMayDiffer(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	clock := authtest.NewClock()
	stack := authtest.NewStack(t, db, clock)
	user := authtest.User(t, db, "anna@example.org")
	grant := stack.LogIn(t, db, user)
	if grant.ExpiresIn != 15*time.Minute {
		t.Errorf("an access token lives %s", grant.ExpiresIn)
	}
	tests := []struct {
		moved time.Duration
		code  string
	}{
		{0, ""},
		{-15 * time.Second, ""}, // this node's clock is behind the issuing node's
		{-16 * time.Second, "token_invalid"},
		{-time.Hour, "token_invalid"},
		{15*time.Minute + 14*time.Second, ""},
		{15*time.Minute + 16*time.Second, "token_expired"},
		{24 * time.Hour, "token_expired"},
	}
	for _, test := range tests {
		clock.Move(test.moved)
		claims, err := stack.Tokens.Parse(t.Context(), auth.AccessToken, grant.Access)
		clock.Move(-test.moved)
		if test.code == "" && (err != nil || claims.Subject != strconv.Itoa(user)) {
			t.Errorf("%s: %v", test.moved, err)
		}
		if test.code != "" && fault.Of(err).Code != test.code {
			t.Errorf("%s: %v, want %s", test.moved, err, test.code)
		}
	}
}
