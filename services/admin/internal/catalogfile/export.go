package catalogfile

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"litfass/services/admin/internal/catalog"
)

// Walker gives every entity of the catalogue, references first; see postgres.DB.Walk.
type Walker interface {
	Walk(ctx context.Context, fn func(catalog.Entity) error) error
}

// Export writes the whole catalogue and returns how many lines there are. Importing the file into the database that it
// came from changes nothing.
func Export(ctx context.Context, from Walker, to io.Writer) (lines int, err error) {
	out := bufio.NewWriterSize(to, readBuffer)
	err = from.Walk(ctx, func(entity catalog.Entity) error {
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
