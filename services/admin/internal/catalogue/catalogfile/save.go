package catalogfile

import (
	"context"
	"fmt"
	"slices"

	"litfass/services/admin/internal/catalogue/rules"
)

// Save saves entities in batches, like the lines of a file, and counts the results. saved is called
// after every batch. The first refused entity ends it with its fault.
func Save(ctx context.Context, saver Saver, entities []rules.Entity, saved func(entities int)) (Counts, error) {
	counts := Counts{}
	for chunk := range slices.Chunk(entities, batchLines) {
		results, err := saver.Save(ctx, chunk)
		if err != nil {
			return counts, err
		}
		for i, result := range results {
			counts.add(chunk[i].Kind(), result)
			if result.Err != nil {
				return counts, fmt.Errorf("%s %s: %w", chunk[i].Kind(), chunk[i].Key(), result.Err)
			}
		}
		saved(len(chunk))
	}
	return counts, nil
}
