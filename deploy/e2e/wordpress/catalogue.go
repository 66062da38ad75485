package wordpress

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Catalogue are the translations of a language by their texts; contextOf joins a text with its
// context. The text "" has the header.
type Catalogue map[string]string

// contextOf returns the key of a text in a catalogue.
func contextOf(context, id string) string {
	if context == "" {
		return id
	}
	return context + "\x04" + id
}

// ReadPO reads a .po file. Plural forms are not understood: the plugin has none.
func ReadPO(content []byte) (Catalogue, error) {
	catalogue := Catalogue{}
	entry, last := map[string]string{}, ""
	keep := func() error {
		key := contextOf(entry["msgctxt"], entry["msgid"])
		if _, twice := catalogue[key]; twice {
			return fmt.Errorf("%q is there twice", key)
		}
		if _, found := entry["msgstr"]; found {
			catalogue[key] = entry["msgstr"]
		}
		entry, last = map[string]string{}, ""
		return nil
	}
	for number, line := range strings.Split(string(content)+"\n", "\n") {
		line = strings.TrimSpace(line)
		word, rest, named := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "#"):
			continue
		case line == "":
			if len(entry) > 0 {
				if err := keep(); err != nil {
					return nil, err
				}
			}
			continue
		case strings.HasPrefix(line, `"`):
			rest = line
		case named && slices.Contains([]string{"msgctxt", "msgid", "msgstr"}, word):
			last = word
		default:
			return nil, fmt.Errorf("line %d cannot be read: %s", number+1, line)
		}
		text, err := strconv.Unquote(rest)
		if err != nil || last == "" {
			return nil, fmt.Errorf("line %d cannot be read: %s", number+1, line)
		}
		entry[last] += text
	}
	return catalogue, nil
}

// MO returns the catalogue in the form that WordPress reads: GNU's .mo, without a hash table.
func (c Catalogue) MO() []byte {
	const head, magic = 28, 0x950412de
	keys := slices.Sorted(maps.Keys(c))
	count := uint32(len(keys)) //nolint:gosec // some dozens
	var tables, texts bytes.Buffer
	write := func(values ...uint32) {
		_ = binary.Write(&tables, binary.LittleEndian, values) // a buffer takes everything
	}
	write(magic, 0, count, head, head+8*count, 0, head+16*count)
	place := func(text string) {
		write(uint32(len(text)), head+16*count+uint32(texts.Len())) //nolint:gosec // some kB
		texts.WriteString(text + "\x00")
	}
	for _, key := range keys {
		place(key)
	}
	for _, key := range keys {
		place(c[key])
	}
	return append(tables.Bytes(), texts.Bytes()...)
}
