package auth

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	zxcvbn "github.com/ccojocar/zxcvbn-go"
)

// What a password must be (decisions.md, Accounts).
const (
	passwordMinLength = 12   // characters
	passwordMinVaried = 5    // different ones
	passwordMaxBytes  = 1024 // a sentence fits; a file does not
	passwordMinBits   = 20.0 // a million guesses: what is found by trying the common ones first
	passwordEstimated = 64   // characters that are looked at: estimating takes time by the square of the length
)

// commonHere is what the estimator's English lists lack: favourites of this region, and of keyboards in its layouts.
var commonHere = []string{
	"passwort", "kennwort", "geheim", "hallo", "willkommen", "schatz", "sommer", "winter", "frühling", "herbst",
	"adgangskode", "kodeord", "hemmelig", "velkommen", "elskling", "sommar", "litfass", "litfaß", "kultur",
	"qwertz", "qwertzuiop", "qwertzuiopü", "asdfghjklö", "asdfghjklöä", "yxcvbnm", "qwertyuiopå", "asdfghjklæø",
	"1q2w3e4r", "1q2w3e4r5t", "1q2w3e4r5t6y", "1q2w3e4r5t6z", "1qaz2wsx", "1qaz2wsx3edc", "q1w2e3r4t5", "q1w2e3r4t5y6",
}

// PasswordProblem says in words for people why the password of the account with this e-mail address is not good enough,
// or returns "". It is no secret: it depends on nothing stored.
func PasswordProblem(password, email string) string {
	if len(password) > passwordMaxBytes {
		return "must have at most " + strconv.Itoa(passwordMaxBytes) + " bytes"
	}
	if !utf8.ValidString(password) || strings.ContainsFunc(password, unicode.IsControl) {
		return "must be text without control characters"
	}
	typed := utf8.RuneCountInString(password) // normalizing makes one of several characters, and of one several
	password = normalize(password)
	if min(typed, utf8.RuneCountInString(password)) < passwordMinLength {
		return "must have at least " + strconv.Itoa(passwordMinLength) + " characters"
	}
	if strings.EqualFold(password, email) {
		return "must not be the e-mail address"
	}
	if guessable(password, email) {
		return "is too common: it would be among the first ones tried; several words that have nothing to do with each other are better"
	}
	return ""
}

// guessable reports whether the password is found by trying the common ones first. The estimator takes each repetition of
// a character beyond ASCII for a surprise, hence the look at how many different ones there are.
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
