package build

// computing are packages without the race detector, as patterns: they draw and pack images, hash,
// match texts, expand rules, rate passwords, or compute the expectations of tests. Litfass's own
// packages among them start no goroutines and write no variables that goroutines share. With the
// detector, these packages take several times as long as the rest of the tests; zxcvbn's tables
// are most of what a start of admin computes.
var computing = []string{
	"compress/...", "crypto/internal/fips140/...", "hash/...", "image/...", "regexp/...", "strconv", "time", "unicode/...",
	"github.com/ccojocar/zxcvbn-go/...", "golang.org/x/crypto/argon2", "golang.org/x/crypto/blake2b", "golang.org/x/image/...",
	"litfass/deploy/e2e/generate", "litfass/deploy/e2e/reference", "litfass/pkg/media/imaging/imagingtest",
	"litfass/services/admin/internal/catalogue/recurrence",
}

// RaceFlags returns the flags of go build and go test for the race detector. Programs and tests
// that are built with the same flags share compiled packages.
func RaceFlags() []string {
	flags := []string{"-race"}
	for _, pattern := range computing {
		flags = append(flags, "-gcflags="+pattern+"=-race=false")
	}
	return flags
}
