package blob_test

import (
	"errors"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"litfass/pkg/media/blob"
)

func open(t *testing.T, address string) *blob.Store {
	t.Helper()
	store, err := blob.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// stores returns a store of every kind.
func stores(t *testing.T) map[string]*blob.Store {
	t.Helper()
	backend := s3mem.New()
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	if err := backend.CreateBucket("litfass"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	return map[string]*blob.Store{
		"folder": open(t, "file://"+filepath.ToSlash(filepath.Join(t.TempDir(), "made when it is missing"))),
		"S3":     open(t, "s3://litfass?region=eu-central-1&use_path_style=true&disable_https=true&endpoint="+server.URL),
	}
}

func put(t *testing.T, store *blob.Store, keys ...string) {
	t.Helper()
	for _, key := range keys {
		if err := store.Put(t.Context(), key, "image/png", []byte(key)); err != nil {
			t.Fatal(err)
		}
	}
}

func wantKept(t *testing.T, store *blob.Store, kept map[string]bool) {
	t.Helper()
	for key, want := range kept {
		data, err := store.Get(t.Context(), key)
		if want && (err != nil || string(data) != key) || !want && !errors.Is(err, blob.ErrGone) {
			t.Errorf("%s: %q, %v", key, data, err)
		}
	}
}

func TestPutGetDelete(t *testing.T) {
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			original, variant := blob.OriginalKey("1"), blob.VariantKey("1", "50-50/cover-160x160-q80.jpeg")
			other := blob.OriginalKey("11")
			wantKept(t, store, map[string]bool{original: false})
			put(t, store, original, variant, other)
			wantKept(t, store, map[string]bool{original: true, variant: true, other: true})
			for range 2 {
				if err := store.Delete(t.Context(), variant); err != nil {
					t.Fatal(err)
				}
			}
			wantKept(t, store, map[string]bool{original: true, variant: false})
			put(t, store, variant)
			for range 2 {
				if err := store.DeleteFolder(t.Context(), "event/1"); err != nil {
					t.Fatal(err)
				}
			}
			wantKept(t, store, map[string]bool{original: false, variant: false, other: true})
		})
	}
}

func TestCopy(t *testing.T) {
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			original, copied := blob.OriginalKey("1"), blob.OriginalKey("2")
			if err := store.Copy(t.Context(), original, copied); !errors.Is(err, blob.ErrGone) {
				t.Errorf("nothing was copied: %v", err)
			}
			put(t, store, original)
			for range 2 {
				if err := store.Copy(t.Context(), original, copied); err != nil {
					t.Fatal(err)
				}
			}
			if err := store.Delete(t.Context(), original); err != nil {
				t.Fatal(err)
			}
			if data, err := store.Get(t.Context(), copied); err != nil || string(data) != original {
				t.Errorf("the copy holds %q, %v", data, err)
			}
		})
	}
}

// clocks returns the earlier and the later time of the clock of programs and the clock of files,
// which may differ.
func clocks(t *testing.T) (earlier, later time.Time) {
	t.Helper()
	info, err := os.Stat(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	now, made := time.Now(), info.ModTime()
	if made.Before(now) {
		return made, now
	}
	return now, made
}

func TestSweep(t *testing.T) {
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			named, orphan, elsewhere := blob.OriginalKey("1"), blob.OriginalKey("10"), "venue/10/original"
			variants := []string{blob.VariantKey("1", "whole/contain-160x0-q80.jpeg"), blob.VariantKey("10", "whole/contain-160x0-q80.jpeg")}
			put(t, store, named, orphan, elsewhere, variants[0], variants[1])
			live := map[string]bool{"1": true}
			earlier, later := clocks(t)
			if deleted, err := store.Sweep(t.Context(), "event", live, earlier.Add(-time.Hour)); err != nil || deleted != 0 {
				t.Errorf("what was just stored: %d deleted, %v", deleted, err)
			}
			wantKept(t, store, map[string]bool{named: true, orphan: true, elsewhere: true, variants[0]: true, variants[1]: true})
			if deleted, err := store.Sweep(t.Context(), "event", live, later.Add(time.Hour)); err != nil || deleted != 2 {
				t.Errorf("an hour later: %d deleted, %v", deleted, err)
			}
			wantKept(t, store, map[string]bool{named: true, orphan: false, elsewhere: true, variants[0]: true, variants[1]: false})
		})
	}
}

// TestNothingBesideTheBlobs: a folder holds no temporary files and no descriptions once all is
// stored.
func TestNothingBesideTheBlobs(t *testing.T) {
	dir := t.TempDir()
	store := open(t, "file://"+filepath.ToSlash(dir))
	put(t, store, "event/1/original")
	files := 0
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files++
		}
		return err
	})
	if err != nil || files != 1 {
		t.Errorf("%d files, %v", files, err)
	}
}

func TestStoreThatCannotBeOpened(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"", "gopher://x", "file://" + file, "s3://%zz"} {
		if _, err := blob.Open(t.Context(), address); err == nil {
			t.Errorf("%q was opened", address)
		}
	}
}

// TestGetRange: a part of a blob, as archives of map tiles are read.
func TestGetRange(t *testing.T) {
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			if err := store.Put(t.Context(), "maps/kiel.pmtiles", "application/octet-stream", []byte("0123456789")); err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				offset, length int64
				want           string
			}{{0, 3, "012"}, {4, 3, "456"}, {8, 5, "89"}, {0, 100, "0123456789"}} {
				if got, err := store.GetRange(t.Context(), "maps/kiel.pmtiles", c.offset, c.length); err != nil || string(got) != c.want {
					t.Errorf("%d bytes at %d are %q, %v", c.length, c.offset, got, err)
				}
			}
			if _, err := store.GetRange(t.Context(), "maps/none.pmtiles", 0, 3); !errors.Is(err, blob.ErrGone) {
				t.Errorf("no such blob: %v", err)
			}
		})
	}
}
