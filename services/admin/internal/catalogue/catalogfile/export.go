package catalogfile

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/platform/postgres"
)

// Export writes the whole catalogue and returns the number of lines. Importing the file into the
// same database changes nothing.
func Export(ctx context.Context, db *postgres.DB, to io.Writer) (lines int, err error) {
	out := bufio.NewWriterSize(to, readBuffer)
	err = store.Walk(ctx, db, func(entity rules.Entity) error {
		line, err := encode(entity)
		if err != nil {
			return err
		}
		lines++
		_, err = out.Write(line)
		return err
	})
	if err != nil {
		return lines, fmt.Errorf("export: %w", err)
	}
	if err := out.Flush(); err != nil {
		return lines, fmt.Errorf("export: %w", err)
	}
	return lines, nil
}
