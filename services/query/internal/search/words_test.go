package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/document"
	"litfass/pkg/index/indextest"
	"litfass/services/query/internal/params"
)

// alphabets are what random words are made of: scripts that the engine parts in its own ways, marks and signs.
var alphabets = []string{
	"abcXYZ", "äöüßéİ", "0123456789", "абвГД", "αβγ", "אבג", "ابتال", "京都東北", "こんにちは", "カラー", "서울재즈", "กดตน", "កខគ", "🎷🎺❤",
	"'’-–—_./,;:!?\"“”«»()[]#@&%", "+=<>|~^`$€×÷≠∞√", "…‥″‼・。、", "\u0301\u0308\u200c\u200d\u00adـ", "ǅﬁ½²①Ａ",
}

func randomText(random *rand.Rand, words int) string {
	var text strings.Builder
	for range words {
		for range 1 + random.IntN(4) {
			alphabet := []rune(alphabets[random.IntN(len(alphabets))])
			for range 1 + random.IntN(2) {
				text.WriteRune(alphabet[random.IntN(len(alphabet))])
			}
		}
		text.WriteByte(' ')
	}
	return text.String()
}

// TestTheEngineReadsEveryWordThatIsLetThrough: of a text that counts as ten words or fewer, the engine must not drop the
// last one. So each text is stored, and asked for together with a word that is nowhere.
func TestTheEngineReadsEveryWordThatIsLetThrough(t *testing.T) {
	client := indextest.New(t)
	random := rand.New(rand.NewPCG(12, 84))
	const absent = " zzznowherezzz"
	var lines [][]byte
	var searches []*meilisearch.SearchRequest
	for len(searches) < 400 {
		text := randomText(random, 1+random.IntN(6))
		q, err := params.Events.FromURL("search="+escape(text+absent), 0)
		if err != nil {
			continue
		}
		lines = append(lines, fmt.Appendf(nil, `{"date_uuid":"d%d","title":%q}`, len(searches), plain(text)))
		searches = append(searches, &meilisearch.SearchRequest{IndexUID: client.Name(document.Dates), Query: q.Search, MatchingStrategy: meilisearch.All})
	}
	tasks, err := client.Add(t.Context(), document.Dates, lines)
	if err == nil {
		err = client.Wait(t.Context(), tasks...)
	}
	if err != nil {
		t.Fatal(err)
	}
	for part := range slices.Chunk(searches, 100) {
		answer, err := client.Engine().MultiSearchWithContext(t.Context(), &meilisearch.MultiSearchRequest{Queries: part})
		if err != nil {
			t.Fatal(err)
		}
		for i, result := range answer.Results {
			if len(result.Hits) > 0 {
				t.Errorf("%q drops its last word", part[i].Query)
			}
		}
	}
}

func escape(text string) string {
	var escaped strings.Builder
	for _, b := range []byte(text) {
		fmt.Fprintf(&escaped, "%%%02X", b)
	}
	return escaped.String()
}

// plain leaves out what a Go string literal writes differently from JSON.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
}
