// Package indextest gives each test indexes of its own on the real engine.
package indextest

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/chassis/index"
)

// cleanupTimeout is how long the engine may take to delete a test's indexes.
const cleanupTimeout = 2 * time.Minute

// Config returns the engine of TEST_MEILI_URL and TEST_MEILI_KEY with an index prefix unique to the
// test. Everything created with that prefix is deleted when the test ends. The test fails if the
// variables are not set.
func Config(t testing.TB) index.Config {
	t.Helper()
	config := index.Config{
		URL:    os.Getenv("TEST_MEILI_URL"),
		Key:    os.Getenv("TEST_MEILI_KEY"),
		Prefix: "t" + strings.ReplaceAll(uuid.NewString(), "-", "")[:16] + "_",
	}
	if config.URL == "" {
		t.Fatal("TEST_MEILI_URL is not set: this test needs Meilisearch, which make test PKG=./... starts")
	}
	t.Cleanup(func() { drop(t, index.Connect(config)) })
	return config
}

// New returns a client with a unique prefix whose indexes exist with all settings and are empty.
func New(t testing.TB) *index.Client {
	t.Helper()
	client := index.Connect(Config(t))
	if err := client.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	return client
}

func drop(t testing.TB, client *index.Client) {
	ctx, cancel := context.WithTimeout(context.Background(), cleanupTimeout)
	defer cancel()
	for _, set := range []*index.Client{client, client.Aside()} {
		if _, err := set.Drop(ctx); err != nil {
			t.Error(err)
		}
	}
	if err := client.DropReadKey(ctx); err != nil {
		t.Error(err)
	}
}
