package blob_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"litfass/pkg/media/blob"
)

// folder returns a store in a folder of its own that holds these keys.
func folder(t *testing.T, keys ...string) (*blob.Store, string) {
	t.Helper()
	path := t.TempDir()
	store, err := blob.Open(t.Context(), "file://"+path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	for _, key := range keys {
		if err := store.Put(t.Context(), key, "image/png", []byte("bytes of "+key)); err != nil {
			t.Fatal(err)
		}
	}
	return store, path
}

// files returns the files in a folder, by path.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		found[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestMirrorHoldsOriginalsAndAvatars(t *testing.T) {
	t.Parallel()
	source, _ := folder(t, "event/a/original", "event/a/320x200.webp", "event/b/original", "user/1/x/64.png")
	copied, path := folder(t, "event/b/original", "event/gone/original")
	done, err := source.Mirror(t.Context(), copied, false)
	if err != nil || done != (blob.Mirrored{Copied: 2, Kept: 1}) {
		t.Errorf("%+v, %v", done, err)
	}
	want := []string{"event/a/original", "event/b/original", "event/gone/original", "user/1/x/64.png"}
	held := files(t, path)
	if got := slices.Sorted(maps.Keys(held)); !slices.Equal(got, want) {
		t.Errorf("the copy holds %v", got)
	}
	if held["event/a/original"] != "bytes of event/a/original" {
		t.Errorf("copied %q", held["event/a/original"])
	}
	done, err = source.Mirror(t.Context(), copied, true)
	if err != nil || done != (blob.Mirrored{Kept: 3, Deleted: 1}) {
		t.Errorf("%+v, %v", done, err)
	}
	if held = files(t, path); len(held) != 3 || held["event/gone/original"] != "" {
		t.Errorf("after pruning the copy holds %v", held)
	}
}

// A backup may share its files with an earlier one: copying and pruning must not affect that one.
func TestMirrorLeavesLinkedFilesAlone(t *testing.T) {
	t.Parallel()
	source, _ := folder(t, "event/new/original")
	_, before := folder(t, "event/old/original")
	after := t.TempDir()
	if err := os.MkdirAll(after+"/event/old", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(before+"/event/old/original", after+"/event/old/original"); err != nil {
		t.Fatal(err)
	}
	later, err := blob.Open(t.Context(), "file://"+after)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.Mirror(t.Context(), later, true); err != nil {
		t.Fatal(err)
	}
	if got := slices.Collect(maps.Keys(files(t, after))); !slices.Equal(got, []string{"event/new/original"}) {
		t.Errorf("the later backup holds %v", got)
	}
	if got := slices.Collect(maps.Keys(files(t, before))); !slices.Equal(got, []string{"event/old/original"}) {
		t.Errorf("the earlier backup holds %v", got)
	}
}
