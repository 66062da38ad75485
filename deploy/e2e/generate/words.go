package generate

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// awkward are texts on which quoting, folding or tokenising may fail.
var awkward = []string{
	`He said "hello"`, `back\slash\`, `it's "nested 'quotes'"`, `\"`, `'`, `"`, `\`,
	`100% *pure* jazz`, `*star*`, `a*b`, `***`, `*`, `%_%`, `[a TO b]`, `{"x":1}`, `a,b;c`, `<b>bold</b> & co`,
	`Straße`, `STRASSE`, `strasse`, `Große Größe`, `GROSSE GRÖSSE`, `ẞ`,
	"İstanbul", "istanbul", "ISTANBUL", "ıstanbul", "İ",
	"Caf\u00e9", "Cafe\u0301", "Cafe", "CAFÉ", "A\u030angstrom", "Ångstrom", "x\u0303y\u0323\u0307", "q\u0307\u0323",
	"ﬁn de ﬂair", "fin de flair", "１２３ Ｆｕｌｌ", "123 Full", "№ 5", "Ⅷ", "ǅungla", "ΣΊΣΥΦΟΣ", "σίσυφος", "ΐ", "և",
	"🎷 Jazz 🎶", "👨‍👩‍👧‍👦 family", "🇩🇪🇩🇰", "❤️", "❤", "日本語のイベント", "京都 音楽祭", "Київ", "КИЇВ", "مهرجان", "פסטיבל",
	"null", "NULL", "undefined", "true", "0", "-1", "007", "1e3", "NaN", "title", "_geo", "a  b", "a b", "a\u00a0b", "zero\u200bwidth",
	`x" OR title_key EXISTS`, `x' OR 1=1`, `'; DROP TABLE events; --`, `" OR uuid != "`, `title = "x"`, `NOT EXISTS`, "^start$", "#hash",
}

// ManyWords stand together in one event of every catalogue: more words than engines commonly read
// of one search.
var ManyWords = RareWords[:12]

var plain = strings.Fields(`Abend Nacht Konzert Lesung Jazz Rock Theater Tanz Kino Markt Fest Sommer Winter Kinder Garten Hafen
	evening night reading dance market summer winter children garden harbour soirée fête théâtre été hiver aften nat læsning
	marked børn Übung Öl Ärger süß naïve élan smörgåsbord Łódź Dvořák`)

// RareWords are words that no other word of a catalogue resembles, so that a search for one finds
// exactly the texts that hold it, however tolerant of typing errors the engine is.
var RareWords = []string{
	"qvxzkwjpfhbt", "zwgkpqjxmvdr", "xjfvqkhzbwnt", "kzqpwxvjgmfl", "vwqjzxkrtphg", "jkxwvzqdfnbp", "pqzxvkwjhtlm", "wxzjqvkgbrdf",
	"bqkzjxwvprgn", "hzvxqwkjdmtf", "fxkqzjvwlgpb", "gjzqxkwvnhrt", "dvkxzwqjbfmp", "mzxqjvwkrhgl", "tqwzkxjvpdnb", "nkvzxjqwfgth",
	"rzjxkqvwmbpd", "lxvqzkjwtnhf", "zürqxäkvlöpf", "qäßwxzüvkjöm", "жщцъфэыюхшч", "ψξζχφθωδλ",
	"öxq", "qøxw", "wåxzq", "jüæq",
}

var digraphs = strings.NewReplacer("ä", "ae", "æ", "ae", "ö", "oe", "ø", "oe", "ü", "ue", "å", "aa")

// spelling returns a word with its umlauts or, in half of the cases, their digraphs.
func (r random) spelling(word string) string {
	if r.chance(50) {
		return digraphs.Replace(word)
	}
	return word
}

// text returns an awkward text, a plain one, or a mixture.
func (r random) text() string {
	switch r.IntN(4) {
	case 0:
		return pick(r, awkward)
	case 1:
		return pick(r, plain) + " " + pick(r, awkward) + " " + pick(r, plain)
	default:
		return r.words(r.between(1, 6))
	}
}

func (r random) words(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = pick(r, plain)
	}
	return strings.Join(words, " ")
}

// rare puts a rare word into a text, next to different neighbours.
func (r random) rare(text string) string {
	word := r.spelling(pick(r, RareWords))
	if text == "" {
		return word
	}
	switch r.IntN(9) {
	case 0:
		return word + " " + text
	case 1:
		return text + " (" + word + ")"
	case 2:
		return text + ": »" + strings.ToUpper(word) + "«!"
	case 3:
		return text + " " + norm.NFD.String(word) + ", " + text
	case 4:
		return text + "\u00a0" + word + "\u202f!"
	case 5:
		return text + " <em>" + word + "</em>"
	case 6:
		return text + "|" + word + "|" + text
	case 7:
		sign := pick(r, []string{"🎷", "€", "$", "=", "~", "^", "\u2011", "\u200b", "°", "→"})
		return text + " " + sign + word + sign + text
	default:
		return text + " " + word
	}
}

// maxTitle is the maximum number of runes of a title.
const maxTitle = 2000

// long returns a text of exactly that many runes. Texts that share the pattern differ only in their
// last runes.
func (r random) long() string {
	pattern := []rune(pick(r, []string{"lorem ipsum ", "äöüß ", "🎷🎶", `"\*'`, "İı", "long title "}))
	runes := make([]rune, 0, maxTitle)
	for len(runes) < maxTitle {
		runes = append(runes, pattern[len(runes)%len(pattern)])
	}
	copy(runes[maxTitle-10:], []rune(pick(r, []string{"end of one", "end of two", "ENDE.GRÖSS"})))
	return string(runes)
}
