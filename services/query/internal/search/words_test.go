package search

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/params"
)

// alphabets are the characters of random words: scripts that the engine splits by rules of their
// own, marks and signs.
var alphabets = []string{
	"abcXYZ", "äöüßéİ", "0123456789", "абвГД", "αβγ", "אבג", "ابتال", "京都東北", "こんにちは", "カラー", "서울재즈", "กดตน", "កខគ", "🎷🎺❤",
	"'’-–—_./,;:!?\"“”«»()[]#@&%", "+=<>|~^`$€×÷≠∞√", "…‥″‼・。、", "\u0301\u0308\u200c\u200d\u00adـ", "ǅﬁ½²①Ａ",
}

func randomText(random *rand.Rand, alphabets []string, words int) string {
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

// TestTheEngineReadsEveryWordThatIsLetThrough: of a text that counts as ten words or fewer, the
// engine must not ignore the last one. So each text is indexed, and searched together with a word
// that does not occur.
func TestTheEngineReadsEveryWordThatIsLetThrough(t *testing.T) {
	client := indextest.New(t)
	searches := stored(t, client, rand.New(rand.NewPCG(12, 84)), alphabets, " zzznowherezzz")
	for i, found := range ask(t, client, searches) {
		if len(found) > 0 {
			t.Errorf("%q drops its last word", searches[i])
		}
	}
}

// TestATextIsFoundByItsWords: with any characters between, before and after the words. Scripts
// without spaces are excluded: the engine splits them by dictionaries, and a part of a text not
// always like the whole.
func TestATextIsFoundByItsWords(t *testing.T) {
	spaced := slices.DeleteFunc(slices.Clone(alphabets), func(alphabet string) bool {
		return strings.ContainsFunc(alphabet, func(c rune) bool {
			return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Khmer)
		})
	})
	client := indextest.New(t)
	searches := stored(t, client, rand.New(rand.NewPCG(7, 1)), spaced, "")
	for i, found := range ask(t, client, searches) {
		if !slices.Contains(found, fmt.Sprintf("d%d", i)) {
			t.Errorf("%q does not find its text", searches[i])
		}
	}
}

// stored writes 400 random texts into the index and returns a search for each, with a suffix. Text
// number i is that of date "di".
func stored(t *testing.T, client *index.Client, random *rand.Rand, alphabets []string, behind string) (searches []string) {
	t.Helper()
	var lines [][]byte
	for len(searches) < 400 {
		text := randomText(random, alphabets, 1+random.IntN(6))
		q, err := params.Events.FromURL("search="+escape(text+behind), 0)
		if err != nil {
			continue
		}
		line, err := json.Marshal(document.Date{
			DateUUID: fmt.Sprintf("d%d", len(searches)), TitleWords: document.Words(text),
		})
		if err != nil {
			t.Fatal(err)
		}
		lines, searches = append(lines, line), append(searches, q.Search)
	}
	tasks, err := client.Add(t.Context(), document.Dates, lines)
	if err == nil {
		err = client.Wait(t.Context(), tasks...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return searches
}

// ask returns the ids of the dates that each search finds.
func ask(t *testing.T, client *index.Client, searches []string) (found [][]string) {
	t.Helper()
	for part := range slices.Chunk(searches, 100) {
		var questions []*meilisearch.SearchRequest
		for _, words := range part {
			questions = append(questions, &meilisearch.SearchRequest{
				IndexUID: client.Name(document.Dates), Query: words, MatchingStrategy: meilisearch.All,
				AttributesToRetrieve: []string{"date_uuid"}, Limit: 1000,
			})
		}
		answer, err := client.Engine().MultiSearchWithContext(t.Context(), &meilisearch.MultiSearchRequest{Queries: questions})
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range answer.Results {
			var hits []struct {
				ID string `json:"date_uuid"`
			}
			if err := result.Hits.DecodeInto(&hits); err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, hit := range hits {
				ids = append(ids, hit.ID)
			}
			found = append(found, ids)
		}
	}
	return found
}

func escape(text string) string {
	var escaped strings.Builder
	for _, b := range []byte(text) {
		fmt.Fprintf(&escaped, "%%%02X", b)
	}
	return escaped.String()
}
