package wordpress

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Text is a text of the plugin that is translated.
type Text struct {
	Context string // "" for none
	ID      string // in English
	Note    string // for translators
	File    string // that has it first
}

// call matches a call of PHP that translates a literal, with a comment for translators above it.
var call = regexp.MustCompile(
	`(?:/\* translators: (.*?) \*/\s+)?[^\n]*?\b(?:esc_html_|esc_attr_|_)_\( '((?:[^'\\]|\\.)*)', 'litfass' \)`)

// translating matches what begins a call that translates.
var translating = regexp.MustCompile(`\b(?:esc_html_|esc_attr_|_)(?:_|e|x|n|nx)\(`)

// headers matches the lines of the plugin's header that WordPress translates.
var headers = regexp.MustCompile(`(?m)^ \* (Description): +(.+)$`)

// Texts returns the texts of the plugin's files: those of calls, of its header, and of its blocks.
func Texts(plugin fs.FS) ([]Text, error) {
	var all []Text
	err := fs.WalkDir(plugin, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var found []Text
		switch {
		case path.Base(name) == "block.json":
			found, err = textsOfBlock(plugin, name)
		case path.Ext(name) == ".php":
			found, err = textsOfCode(plugin, name)
		}
		all = append(all, found...)
		return err
	})
	slices.SortStableFunc(all, Text.compare)
	return slices.CompactFunc(all, func(a, b Text) bool { return a.compare(b) == 0 }), err
}

func (t Text) compare(other Text) int {
	return cmp.Or(strings.Compare(t.ID, other.ID), strings.Compare(t.Context, other.Context))
}

func textsOfCode(plugin fs.FS, name string) ([]Text, error) {
	code, err := fs.ReadFile(plugin, name)
	if err != nil {
		return nil, err
	}
	var found []Text
	for _, header := range headers.FindAllStringSubmatch(string(code), -1) {
		found = append(found, Text{ID: header[2], Note: header[1] + " of the plugin", File: name})
	}
	calls := call.FindAllStringSubmatch(string(code), -1)
	if total := len(translating.FindAll(code, -1)); total != len(calls) {
		return nil, fmt.Errorf("%s: of %d calls that translate, %d can be read: a line has one, with a literal", name, total, len(calls))
	}
	for _, made := range calls {
		id := strings.NewReplacer(`\'`, `'`, `\\`, `\`).Replace(made[2])
		found = append(found, Text{ID: id, Note: made[1], File: name})
	}
	return found, nil
}

// textsOfBlock returns the texts that WordPress translates with the contexts of its schema.
func textsOfBlock(plugin fs.FS, name string) ([]Text, error) {
	var block struct {
		Title, Description string
		Keywords           []string
	}
	content, err := fs.ReadFile(plugin, name)
	if err == nil {
		err = json.Unmarshal(content, &block)
	}
	found := []Text{
		{Context: "block title", ID: block.Title, File: name}, {Context: "block description", ID: block.Description, File: name},
	}
	for _, word := range block.Keywords {
		found = append(found, Text{Context: "block keyword", ID: word, File: name})
	}
	return found, err
}

// Template returns the texts as a catalogue to translate, a .pot file.
func Template(texts []Text) []byte {
	var pot strings.Builder
	pot.WriteString("# The texts of the plugin, written by its packer.\nmsgid \"\"\nmsgstr \"\"\n" +
		"\"Project-Id-Version: Litfass\\n\"\n\"MIME-Version: 1.0\\n\"\n" +
		"\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n\"X-Domain: litfass\\n\"\n")
	for _, text := range texts {
		pot.WriteByte('\n')
		if text.Note != "" {
			fmt.Fprintf(&pot, "#. %s\n", text.Note)
		}
		fmt.Fprintf(&pot, "#: %s\n", text.File)
		if text.Context != "" {
			fmt.Fprintf(&pot, "msgctxt %s\n", quote(text.Context))
		}
		fmt.Fprintf(&pot, "msgid %s\nmsgstr \"\"\n", quote(text.ID))
	}
	return []byte(pot.String())
}

func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}
