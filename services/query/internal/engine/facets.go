package engine

import (
	"encoding/json"
	"fmt"
)

// Values returns the number of documents with each value of the question's Facets from an answer:
// by attribute, then value.
func Values(answer []byte) (map[string]map[string]int, error) {
	found, err := Member(answer, "facetDistribution")
	if err != nil {
		return nil, err
	}
	var values map[string]map[string]int
	if err := json.Unmarshal(found, &values); err != nil {
		return nil, fmt.Errorf("decode the engine's counts: %w", err)
	}
	return values, nil
}
