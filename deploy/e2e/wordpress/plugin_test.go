package wordpress

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/goccy/go-yaml"

	"litfass/deploy/local/stack"
	"litfass/pkg/contracts/language"
)

// tree returns a folder of the source tree.
func tree(t *testing.T, path ...string) fs.FS {
	t.Helper()
	top, err := stack.FindRoot()
	if err != nil {
		t.Fatal(err)
	}
	return os.DirFS(filepath.Join(append([]string{top}, path...)...))
}

func plugin(t *testing.T) fs.FS {
	t.Helper()
	return tree(t, "deploy", "clients", "wordpress", "litfass")
}

func read(t *testing.T, files fs.FS, name string) string {
	t.Helper()
	content, err := fs.ReadFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// block is what the tests read of block.json.
type block struct {
	Version    string
	Attributes map[string]struct {
		Type    string
		Enum    []string
		Default any
		Items   struct{ Type string }
	}
}

func readBlock(t *testing.T) (b block) {
	t.Helper()
	if err := json.Unmarshal([]byte(read(t, plugin(t), "block/block.json")), &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestVersionsAgree: the header, the code, the block and readme.txt name one version of the plugin,
// and the same oldest versions of WordPress and PHP.
func TestVersionsAgree(t *testing.T) {
	header, readme := read(t, plugin(t), "litfass.php"), read(t, plugin(t), "readme.txt")
	value := func(text, name string) string {
		found := regexp.MustCompile(`(?m)^(?: \* )?` + name + `: +(\S+)$`).FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("%s is missing", name)
		}
		return found[1]
	}
	version := value(header, "Version")
	for where, got := range map[string]string{
		"readme.txt": value(readme, "Stable tag"), "block.json": readBlock(t).Version,
		"the code":      regexp.MustCompile(`const VERSION = '(.*)';`).FindStringSubmatch(header)[1],
		"the changelog": regexp.MustCompile(`== Changelog ==\s+= (.*) =`).FindStringSubmatch(readme)[1],
	} {
		if got != version {
			t.Errorf("%s has version %s, the header %s", where, got, version)
		}
	}
	for _, name := range []string{"Requires at least", "Requires PHP", "License", "License URI"} {
		if a, b := value(header, name), value(readme, name); a != b {
			t.Errorf("%s is %s in the header and %s in readme.txt", name, a, b)
		}
	}
}

// blockFields are the fields of block.json that WordPress 6.1 reads.
var blockFields = []string{
	"$schema", "apiVersion", "name", "version", "title", "category", "parent", "ancestor", "icon", "description", "keywords", "textdomain",
	"attributes", "providesContext", "usesContext", "supports", "styles", "example", "variations", "editorScript", "script", "viewScript",
	"editorStyle", "style", "render",
}

// parametersOfSearch returns the names of the parameters of the event search.
func parametersOfSearch(t *testing.T) []string {
	t.Helper()
	var document struct {
		Paths map[string]struct {
			Get struct {
				Parameters []map[string]any
			}
		}
	}
	content := read(t, tree(t, "services", "query", "internal", "api", "openapi"), "openapi.yaml")
	if err := yaml.Unmarshal([]byte(content), &document); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, parameter := range document.Paths["/api/events"].Get.Parameters {
		names = append(names, strings.TrimPrefix(fmt.Sprint(parameter["$ref"]), "#/components/parameters/"))
	}
	return names
}

// TestTheBlockIsDescribed: WordPress knows every field of block.json; every attribute has a default
// of its type, is a parameter of the API or of the plugin's look, and is in the code of both sides.
func TestTheBlockIsDescribed(t *testing.T) {
	var fields map[string]any
	if err := json.Unmarshal([]byte(read(t, plugin(t), "block/block.json")), &fields); err != nil {
		t.Fatal(err)
	}
	for name := range fields {
		if !slices.Contains(blockFields, name) {
			t.Errorf("WordPress does not know %s", name)
		}
	}
	code, editor := read(t, plugin(t), "includes/block.php"), read(t, plugin(t), "block/editor.js")
	for _, handle := range []string{"editorScript", "style"} {
		if !strings.Contains(code, fmt.Sprintf("'%s',", fields[handle])) {
			t.Errorf("nothing registers the %s %s", handle, fields[handle])
		}
	}
	known := append(parametersOfSearch(t), "view", "heading", "heading_level", "filter")
	for name, attribute := range readBlock(t).Attributes {
		kinds := map[string]string{"string": "string", "array": "[]interface {}", "integer": "float64"}
		if kind := fmt.Sprintf("%T", attribute.Default); kind != kinds[attribute.Type] {
			t.Errorf("the default of %s, a %s, is a %s", name, attribute.Type, kind)
		}
		if !slices.Contains(known, name) {
			t.Errorf("%s is no parameter", name)
		}
		if !strings.Contains(code, "'"+name+"'") {
			t.Errorf("the server does not render %s", name)
		}
		if !strings.Contains(editor, "'"+name+"'") && !strings.Contains(editor, "attributes."+name) {
			t.Errorf("the editor has no field for %s", name)
		}
	}
}

// TestTheEditorHasItsTexts: the script of the editor uses the texts that it gets, and no others.
func TestTheEditorHasItsTexts(t *testing.T) {
	code, editor := read(t, plugin(t), "includes/block.php"), read(t, plugin(t), "block/editor.js")
	used := map[string]bool{"list": true, "week": true, "month": true} // by the values of the view
	for _, found := range regexp.MustCompile(`texts\.(\w+)`).FindAllStringSubmatch(editor, -1) {
		used[found[1]] = true
	}
	given := map[string]bool{}
	_, texts, _ := strings.Cut(code, "function editor_texts()")
	for _, found := range regexp.MustCompile(`'(\w+)'\s+=> __\(`).FindAllStringSubmatch(texts, -1) {
		given[found[1]] = true
	}
	if !maps.Equal(used, given) {
		t.Errorf("the script uses %v and gets %v", slices.Sorted(maps.Keys(used)), slices.Sorted(maps.Keys(given)))
	}
}

var placeholder = regexp.MustCompile(`%(\d+\$)?[a-z]`)

// TestEveryLanguageIsComplete: each language of the site has a catalogue with every text and no
// other, and the placeholders of the text.
func TestEveryLanguageIsComplete(t *testing.T) {
	texts, err := Texts(plugin(t))
	if err != nil || len(texts) < 30 {
		t.Fatalf("%d texts: %v", len(texts), err)
	}
	for _, code := range language.Codes {
		if code == "en" {
			continue // the language of the texts
		}
		catalogue, err := ReadPO([]byte(read(t, plugin(t), "languages/litfass-"+code+".po")))
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		left := maps.Clone(catalogue)
		delete(left, "")
		for _, text := range texts {
			key := contextOf(text.Context, text.ID)
			translated := catalogue[key]
			if translated == "" {
				t.Errorf("%s lacks %q", code, key)
			}
			if got, want := placeholder.FindAllString(translated, -1), placeholder.FindAllString(text.ID, -1); !slices.Equal(got, want) {
				t.Errorf("%s: %q has the placeholders %q", code, translated, got)
			}
			delete(left, key)
		}
		for key := range left {
			t.Errorf("%s has %q, which the plugin does not", code, key)
		}
	}
}

// TestCompiledCataloguesAreRead by the description of the format.
func TestCompiledCataloguesAreRead(t *testing.T) {
	want := Catalogue{"": "Language: de\n", "Town": "Ort", "block title\x04Litfass": "Litfaß"}
	file := want.MO()
	number := func(at uint32) uint32 { return binary.LittleEndian.Uint32(file[at:]) }
	text := func(table, i uint32) string {
		length, at := number(table+8*i), number(table+8*i+4)
		if file[at+length] != 0 {
			t.Errorf("text %d has no end", i)
		}
		return string(file[at : at+length])
	}
	got, last := Catalogue{}, ""
	for i := range number(8) {
		key := text(number(12), i)
		if i > 0 && key <= last {
			t.Errorf("%q stands after %q", key, last)
		}
		got[key], last = text(number(16), i), key
	}
	if number(0) != 0x950412de || !maps.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestCataloguesThatCannotBeRead(t *testing.T) {
	for _, wrong := range []string{
		"msgid \"a\"\nmsgstr \"b", "msgid_plural \"a\"", "\"a\"", "msgid \"a\"\nmsgstr \"b\"\n\nmsgid \"a\"\nmsgstr \"c\"",
	} {
		if catalogue, err := ReadPO([]byte(wrong)); err == nil {
			t.Errorf("%q is read as %q", wrong, catalogue)
		}
	}
}

// TestPackingTwiceGivesTheSameBytes, also of files with other times, and the archive holds what
// WordPress needs.
func TestPackingTwiceGivesTheSameBytes(t *testing.T) {
	copied := fstest.MapFS{}
	err := fs.WalkDir(plugin(t), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			copied[name] = &fstest.MapFile{Data: []byte(read(t, plugin(t), name)), Mode: 0o600, ModTime: time.Unix(1e9, 0)}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err := Pack(plugin(t), &first); err != nil {
		t.Fatal(err)
	}
	if err := Pack(copied, &second); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the bytes differ")
	}
	archive, err := zip.NewReader(bytes.NewReader(first.Bytes()), int64(first.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range archive.File {
		names = append(names, file.Name)
	}
	for _, want := range []string{
		"litfass.php", "readme.txt", "uninstall.php", "block/block.json", "block/editor.js", "block/style.css", "languages/litfass.pot",
		"languages/litfass-de.mo", "languages/litfass-da.mo", "languages/litfass-de.po",
	} {
		if !slices.Contains(names, "litfass/"+want) {
			t.Errorf("%s is missing in %q", want, names)
		}
	}
}

// TestFilesDoNothingByThemselves: each file of PHP ends when WordPress has not loaded it.
func TestFilesDoNothingByThemselves(t *testing.T) {
	err := fs.WalkDir(plugin(t), ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".php") {
			code := read(t, plugin(t), name)
			if !strings.HasPrefix(code, "<?php\n") || strings.Contains(code, "?>") ||
				!regexp.MustCompile(`(?m)^defined\( '(ABSPATH|WP_UNINSTALL_PLUGIN)' \) \|\| exit;$`).MatchString(code) {
				t.Errorf("%s is open to requests", name)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
