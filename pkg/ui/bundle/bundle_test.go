package bundle

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// assets is a folder with the given files.
func assets(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// made bundles a folder and returns its files by their names, "part" for those without.
func made(t *testing.T, folder string) map[string]File {
	t.Helper()
	files, err := bundle(folder, "/assets/")
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]File{}
	for _, f := range files {
		if f.Name == "" {
			f.Name = "part"
		}
		byName[f.Name] = f
	}
	return byName
}

// some are assets with an entry of each sort.
var some = map[string]string{
	"package.json": "{}", ".npmrc": "", "parts/late.ts": "export const late: number = 40 + 2;",
	"site.ts":      "export {}; void import('./parts/late').then(({ late }) => console.log(late));",
	"site.css":     "a { color: rgb(255, 0, 0); background: url(./parts/dot.png); }",
	"icon.svg":     "<svg/>",
	"widget.v1.ts": "const internal: string = 'widget'; console.log(internal);", "parts/dot.png": "picture",
}

func TestEntriesAreBundled(t *testing.T) {
	files := made(t, assets(t, some))
	names := slices.Sorted(maps.Keys(files))
	if want := []string{"icon.svg", "part", "site.css", "site.js", "widget.v1.js"}; !slices.Equal(names, want) {
		t.Fatalf("made %q, want %q", names, want)
	}
	if got := string(files["site.css"].Content); !strings.HasPrefix(got, `a{color:red;background:url("/assets/dot-`) {
		t.Errorf("the style is %q", got)
	}
	if got := string(files["site.js"].Content); !strings.Contains(got, `import("./part-`) && !strings.Contains(got, `import("/assets/`) {
		t.Errorf("the script does not load its part: %q", got)
	}
	for name, f := range files {
		if keeps := name == "widget.v1.js"; keeps != (f.Path == name) {
			t.Errorf("%s is at %s", name, f.Path)
		}
		if strings.Contains(string(f.Content), "sourceMappingURL") {
			t.Errorf("%s names a source map", name)
		}
	}
	if got := string(files["widget.v1.js"].Content); !strings.HasPrefix(got, "(()=>{") {
		t.Errorf("the widget leaves names in the page: %q", got)
	}
}

// TestNamesFollowTheContent: a change gives another name, and no change the same.
func TestNamesFollowTheContent(t *testing.T) {
	folder := assets(t, some)
	before, again := made(t, folder), made(t, assets(t, some))
	for _, name := range []string{"site.css", "icon.svg"} {
		if before[name].Path != again[name].Path {
			t.Errorf("%s is at %s, then at %s", name, before[name].Path, again[name].Path)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte("b{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	after := made(t, folder)
	for _, name := range []string{"site.css", "icon.svg"} {
		if before[name].Path == after[name].Path {
			t.Errorf("%s stays at %s", name, after[name].Path)
		}
	}
}

func TestAMistakeIsNamed(t *testing.T) {
	_, err := bundle(assets(t, map[string]string{"site.ts": "import './missing';"}), "/assets/")
	if err == nil || !strings.Contains(err.Error(), "missing") || !strings.Contains(err.Error(), "site.ts:1:7") {
		t.Errorf("got %v", err)
	}
}

func TestTheFolderHoldsTheBundleAlone(t *testing.T) {
	folder := assets(t, map[string]string{placeholder: "placeholder", "site-OLDOLDOL.js": "old"})
	first := File{Name: "site.js", Path: "site-AAAAAAAA.js", Content: []byte("new")}
	if err := write(folder, []File{first, {Path: "part-BBBBBBBB.js"}}); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(folder, first.Path)
	before, err := os.Stat(script)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(folder, []File{first}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if want := []string{placeholder, manifest, first.Path}; !slices.Equal(names, want) {
		t.Errorf("the folder holds %q, want %q", names, want)
	}
	if after, err := os.Stat(script); err != nil || !os.SameFile(before, after) {
		t.Errorf("a file that is as it was has been written again: %v", err)
	}
	content, err := os.ReadFile(filepath.Join(folder, manifest))
	if want := "{\n  \"site.js\": \"site-AAAAAAAA.js\"\n}\n"; err != nil || string(content) != want {
		t.Errorf("the manifest is %q, %v", content, err)
	}
}

// lockOf is a lock of one library.
const lockOf = `{"packages":{"":{},"node_modules/leaflet":{"integrity":"sha512-1"}}}`

func TestLibrariesAreFetchedOnce(t *testing.T) {
	t.Setenv("PATH", "") // no npm
	installed := assets(t, map[string]string{"package-lock.json": lockOf, "node_modules/.package-lock.json": lockOf})
	if err := Install(t.Context(), installed); err != nil {
		t.Errorf("with the libraries there: %v", err)
	}
	for state, files := range map[string]map[string]string{
		"none":  {"package-lock.json": lockOf},
		"older": {"package-lock.json": lockOf, "node_modules/.package-lock.json": strings.Replace(lockOf, "-1", "-0", 1)},
	} {
		if err := Install(t.Context(), assets(t, files)); err == nil || !strings.Contains(err.Error(), "npm is missing: install Node.js") {
			t.Errorf("%s: %v", state, err)
		}
	}
}
