package importing

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"
)

// maxCarried is how many bytes a file may have in a form: less than a request, with the other
// other fields.
const maxCarried = 5 << 20

// pack writes a file for a field of a form; "" when it is too large for that.
func pack(file []byte) string {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	// A buffer takes everything.
	_, _ = writer.Write(file)
	_ = writer.Close()
	if base64.RawURLEncoding.EncodedLen(packed.Len()) > maxCarried {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

var errPacked = errors.New("the file in the form cannot be read")

// unpack reads a packed file from a field. It takes no more memory than the largest file does.
func unpack(field string) ([]byte, error) {
	packed, err := base64.RawURLEncoding.DecodeString(field)
	if err != nil {
		return nil, errPacked
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, errPacked
	}
	file, err := io.ReadAll(io.LimitReader(reader, maxBytes+1))
	if err != nil || len(file) > maxBytes {
		return nil, errPacked
	}
	return file, nil
}
