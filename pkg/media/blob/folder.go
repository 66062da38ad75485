package blob

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
)

// folder is a bucket in the file system. A key is a path below root.
type folder struct{ root *os.Root }

func openFolder(path string) (*folder, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &folder{root}, nil
}

// put writes a temporary file and renames it: a reader sees the whole object or none.
func (f *folder) put(_ context.Context, key, _ string, content io.Reader, size int64) error {
	if err := f.root.MkdirAll(path.Dir(key), 0o777); err != nil {
		return err
	}
	temporary := path.Join(path.Dir(key), "."+rand.Text())
	file, err := f.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	written, err := io.Copy(file, content)
	if err == nil && written != size {
		err = io.ErrUnexpectedEOF
	}
	if err = cmp.Or(err, file.Close()); err == nil {
		err = f.root.Rename(temporary, key)
	}
	if err != nil {
		_ = f.root.Remove(temporary)
	}
	return err
}

func (f *folder) open(_ context.Context, key string) (io.ReadCloser, int64, error) {
	file, err := f.root.Open(key)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

func (f *folder) openRange(ctx context.Context, key string, offset, _ int64) (io.ReadCloser, error) {
	content, _, err := f.open(ctx, key)
	if err != nil {
		return nil, err
	}
	if _, err := content.(io.Seeker).Seek(offset, io.SeekStart); err != nil {
		return nil, errors.Join(err, content.Close())
	}
	return content, nil
}

func (f *folder) copy(ctx context.Context, from, to string) error {
	source, size, err := f.open(ctx, from)
	if err != nil {
		return err
	}
	defer source.Close()
	return f.put(ctx, to, "", source, size)
}

func (f *folder) remove(_ context.Context, key string) error { return f.root.Remove(key) }

func (f *folder) list(ctx context.Context, below string, use func(object)) error {
	return fs.WalkDir(f.root.FS(), cmp.Or(below, "."), func(key string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // no such folder
			return nil
		case err != nil || entry.IsDir():
			return cmp.Or(err, ctx.Err())
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) { // removed since its folder was read
			return nil
		}
		if err == nil {
			use(object{key, info.ModTime()})
		}
		return err
	})
}

func (f *folder) close() error { return f.root.Close() }
