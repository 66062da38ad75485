package search

import (
	"os"
	"strings"
	"testing"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/document"
)

// TestTheEngineReadsEveryFilter: the real engine accepts each filter that the tests of package
// filter expect, separately and all together.
func TestTheEngineReadsEveryFilter(t *testing.T) {
	content, err := os.ReadFile("../filter/testdata/filters.txt")
	if err != nil {
		t.Fatal(err)
	}
	filters := strings.Split(strings.TrimSpace(string(content)), "\n")
	together := "(" + strings.Join(filters, ") AND (") + ")"
	dates := indextest.New(t).Index(document.Dates)
	for _, filter := range append(filters, together) {
		request := &meilisearch.SearchRequest{Filter: filter, Sort: []string{"start_key:asc", "date_uuid:asc"}}
		if _, err := dates.SearchWithContext(t.Context(), "", request); err != nil {
			t.Errorf("%s: %v", filter, err)
		}
	}
}
