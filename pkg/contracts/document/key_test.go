package document

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTextKeysFindWhatAPatternNames(t *testing.T) {
	long := strings.Repeat("Größe 🎷 ", 250)
	texts := []string{"a", "Café \"Zur Straße\"", "*stars* \\ back", long, strings.Repeat("x", 455), strings.Repeat("x", 457), strings.Repeat("x", 2000)}
	for _, text := range texts {
		keys := TextKeys(text)
		for _, key := range keys {
			if len(key) > keyBytes || !utf8.ValidString(key) {
				t.Fatalf("key of %d bytes, valid %v, for %.40q", len(key), utf8.ValidString(key), text)
			}
		}
		if !anyOf(keys, func(k string) bool { return k == ExactKey(strings.ToUpper(text)) }) {
			t.Errorf("%.40q is not found by itself", text)
		}
		runes := []rune(text)
		for from := 0; from < len(runes); from += 7 {
			for _, size := range []int{1, 20, 60} {
				part := string(runes[from:min(from+size, len(runes))])
				if key := PartKey(part); len(key) <= MaxPatternBytes && !anyOf(keys, func(k string) bool { return strings.Contains(k, key) }) {
					t.Errorf("%.40q is not found by its part %q", text, part)
				}
			}
		}
		head, tail := string(runes[:min(50, len(runes))]), string(runes[max(0, len(runes)-50):])
		if !anyOf(keys, func(k string) bool { return strings.HasPrefix(k, StartKey(head)) }) {
			t.Errorf("%.40q is not found by its start", text)
		}
		if !strings.HasPrefix(TextEnd(text), EndKey(tail)) {
			t.Errorf("%.40q is not found by its end", text)
		}
	}
}

func TestKeysOfWholeTextsCanBeRead(t *testing.T) {
	for _, text := range []string{"a", "Café \"Zur Straße\"", "*stars* \\ back", "^$", "🎷 𠜎", strings.Repeat("x", 458)} {
		if got, ok := KeyText(ExactKey(text)); !ok || got != Fold(text) {
			t.Errorf("%q is read as %q (%v)", text, got, ok)
		}
	}
	for _, key := range append(TextKeys(strings.Repeat("x", 900)), "", "a") {
		if got, ok := KeyText(key); ok {
			t.Errorf("%q is read as %q", key, got)
		}
	}
}

func TestDigestsHoldNoPartOfAnyText(t *testing.T) {
	for i := range 100 {
		digest := TextKeys(strings.Repeat("x", 1000+i))[0]
		for _, part := range "0123456789abcdef" {
			if strings.Contains(digest, PartKey(string(part))) {
				t.Fatalf("the digest %q is found by %q", digest, part)
			}
		}
	}
}

func TestKeysKeepApart(t *testing.T) {
	for _, pair := range [][2]string{{"cafe", "café"}, {"a b", "a  b"}, {"ﬁn", "f in"}, {" a", "a"}, {"１", "1"}, {"^a", "a"}, {"a$", "a"}} {
		if ExactKey(pair[0]) == ExactKey(pair[1]) {
			t.Errorf("%q and %q have one key", pair[0], pair[1])
		}
	}
	if ExactKey("STRASSE") != ExactKey("Straße") || ExactKey("E\u0301") != ExactKey("é") {
		t.Error("texts that differ only in case or composition have two keys")
	}
}

func TestAbsentTextHasNoKeys(t *testing.T) {
	if TextKeys("") != nil || TextEnd("") != "" {
		t.Error("absent text has keys")
	}
}

func anyOf(keys []string, match func(string) bool) bool {
	for _, key := range keys {
		if match(key) {
			return true
		}
	}
	return false
}
