package build

// computing are packages that the race detector leaves out, as patterns: they draw and pack
// pictures, hash, match texts, expand rules, or decide what a test expects. Those of Litfass start
// no goroutines and write no variables that goroutines share. Watching every byte that these
// packages touch takes several times as long as the rest of the tests.
var computing = []string{
	"compress/...", "crypto/internal/fips140/...", "hash/...", "image/...", "regexp/...", "strconv", "time", "unicode/...",
	"golang.org/x/crypto/argon2", "golang.org/x/crypto/blake2b", "golang.org/x/image/...",
	"litfass/deploy/e2e/generate", "litfass/deploy/e2e/reference", "litfass/pkg/media/imaging/imagingtest",
	"litfass/services/admin/internal/catalogue/recurrence",
}

// RaceFlags returns the flags with which go build and go test watch for races. Programs and tests
// that are built with the same flags share what is compiled.
func RaceFlags() []string {
	flags := []string{"-race"}
	for _, pattern := range computing {
		flags = append(flags, "-gcflags="+pattern+"=-race=false")
	}
	return flags
}
