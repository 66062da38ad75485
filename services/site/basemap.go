package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"litfass/pkg/media/blob"
	"litfass/pkg/media/pmtiles"
	"litfass/services/site/internal/basemap"
)

// openMap opens the operator's archive of tiles: a path, or "blob:" with a key of the blob store;
// "" is the archive of the program. It stays open until the program ends.
func openMap(ctx context.Context, file, store string) (*basemap.Map, error) {
	if file == "" {
		return basemap.Embedded(), nil
	}
	source, err := openArchive(ctx, file, store)
	if err != nil {
		return nil, fmt.Errorf("MAP_FILE: %w", err)
	}
	m, err := basemap.Open(ctx, source)
	if err != nil {
		return nil, fmt.Errorf("MAP_FILE: %w", err)
	}
	return m, nil
}

func openArchive(ctx context.Context, file, store string) (pmtiles.Source, error) {
	key, isBlob := strings.CutPrefix(file, "blob:")
	if !isBlob {
		opened, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		return pmtiles.FromReader(opened), nil
	}
	if store == "" {
		return nil, errors.New("an archive in the blob store needs BLOB_URL")
	}
	blobs, err := blob.Open(ctx, store)
	if err != nil {
		return nil, err
	}
	return object{blobs, key}, nil
}

// object is an archive in the blob store.
type object struct {
	store *blob.Store
	key   string
}

func (o object) ReadRange(ctx context.Context, offset, length int64) ([]byte, error) {
	return o.store.GetRange(ctx, o.key, offset, length)
}
