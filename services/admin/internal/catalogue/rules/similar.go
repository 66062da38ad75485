package rules

import (
	"math"
	"strings"

	"litfass/pkg/contracts/document"
)

// SimilarWithin is the maximum distance in metres between two venues that may be the same.
const SimilarWithin = 100

// alike is the share of three-letter sequences from which on two names are similar: that of
// "Theater" and "Teater".
const alike = 0.45

// SimilarNames reports whether two names may mean the same place: they have nearly the same
// letters, or one has all words of the other. Case, marks and digraphs do not count. It takes and
// returns nothing that is stored.
func SimilarNames(a, b string) bool {
	first, second := strings.Fields(document.Words(a)), strings.Fields(document.Words(b))
	if len(first) == 0 || len(second) == 0 {
		return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
	}
	return containsAll(first, second) || containsAll(second, first) || sharedSequences(first, second) >= alike
}

// containsAll reports whether words has all of part, and among them one of more than three letters:
// "Bar" on its own names no place.
func containsAll(words, part []string) bool {
	known := set(words)
	telling := len(words) == len(part)
	for _, word := range part {
		if !known[word] {
			return false
		}
		telling = telling || len([]rune(word)) > 3
	}
	return telling
}

// sharedSequences is the share of the sequences of three letters that two names have in common. A
// word begins with two spaces and ends with one, so that its first letters count most.
func sharedSequences(a, b []string) float64 {
	first, second := sequences(a), sequences(b)
	shared := 0
	for sequence := range first {
		if second[sequence] {
			shared++
		}
	}
	return float64(shared) / float64(len(first)+len(second)-shared)
}

func sequences(words []string) map[string]bool {
	found := map[string]bool{}
	for _, word := range words {
		letters := []rune("  " + word + " ")
		for i := range len(letters) - 2 {
			found[string(letters[i:i+3])] = true
		}
	}
	return found
}

func set(words []string) map[string]bool {
	known := make(map[string]bool, len(words))
	for _, word := range words {
		known[word] = true
	}
	return known
}

// earthRadius is the mean radius of the earth in metres (RULES.md, Search).
const earthRadius = 6_371_008.8

// Distance returns the metres between two points along the great circle. Latitudes and longitudes
// are in degrees.
func Distance(lat1, lon1, lat2, lon2 float64) float64 {
	const radian = math.Pi / 180
	dLat, dLon := (lat2-lat1)*radian/2, (lon2-lon1)*radian/2
	h := math.Pow(math.Sin(dLat), 2) + math.Cos(lat1*radian)*math.Cos(lat2*radian)*math.Pow(math.Sin(dLon), 2)
	return 2 * earthRadius * math.Asin(math.Sqrt(min(h, 1)))
}
