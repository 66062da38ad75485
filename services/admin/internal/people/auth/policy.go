package auth

import (
	"strings"
	"unicode"
	"unicode/utf8"

	zxcvbn "github.com/ccojocar/zxcvbn-go"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
)

// The rules for passwords (RULES.md, Accounts).
const (
	passwordMinVaried = 5    // different ones
	passwordMinBits   = 25.0 // about 30 million guesses
	passwordEstimated = 64   // characters that are estimated: the time grows with the square of the length
)

// commonHere extends the estimator's English lists by common German, Danish and Swedish passwords
// and keyboard sequences.
var commonHere = []string{
	"passwort", "kennwort", "geheim", "hallo", "willkommen", "schatz", "sommer", "winter", "frühling", "herbst",
	"adgangskode", "kodeord", "hemmelig", "velkommen", "elskling", "sommar", "litfass", "litfaß", "kultur",
	"kulturhaus", "fussball", "fußball", "fodbold", "fotboll", "bundesliga", "schalke04", "berlin", "hamburg", "københavn",
	"ichliebedich", "jegelskerdig", "jagälskardig", "januar", "februar", "märz", "marts", "april", "juni", "juli",
	"august",
	"september", "oktober", "november", "dezember", "december", "montag", "freitag", "sonntag", "mandag", "fredag",
	"qwertz", "qwertzuiop", "qwertzuiopü", "asdfghjklö", "asdfghjklöä", "yxcvbnm", "qwertyuiopå", "asdfghjklæø",
	"1q2w3e4r", "1q2w3e4r5t", "1q2w3e4r5t6y", "1q2w3e4r5t6z", "1qaz2wsx", "1qaz2wsx3edc", "q1w2e3r4t5", "q1w2e3r4t5y6",
}

// PasswordProblem returns why the password of the account with this e-mail address is refused, or
// nil. It depends on nothing stored, so it may be returned before the account is looked up.
func PasswordProblem(password, email string) *reason.Reason {
	if len(password) > adminapi.MaxPassword {
		return reason.TooManyBytes(adminapi.MaxPassword)
	}
	if !utf8.ValidString(password) || strings.ContainsFunc(password, unicode.IsControl) {
		return reason.ControlCharacters
	}
	typed := utf8.RuneCountInString(password) // normalizing changes the number of characters in both directions
	password = normalize(password)
	if min(typed, utf8.RuneCountInString(password)) < adminapi.MinPassword {
		return reason.TooShort(adminapi.MinPassword)
	}
	if strings.EqualFold(password, email) {
		return reason.EmailAsPassword
	}
	if guessable(password, email) {
		return reason.CommonPassword
	}
	return nil
}

// guessable reports whether the password is found with few guesses. The estimator rates repeated
// characters beyond ASCII as random, hence the count of different characters.
func guessable(password, email string) bool {
	varied := map[rune]bool{}
	for _, character := range password {
		varied[character] = true
	}
	if len(varied) < passwordMinVaried {
		return true
	}
	name, domain, _ := strings.Cut(email, "@")
	words := append([]string{email, name, domain}, commonHere...)
	runes := []rune(password)
	head := string(runes[:min(len(runes), passwordEstimated)])
	return zxcvbn.PasswordStrength(head, words).Entropy < passwordMinBits
}
