package encoded

import (
	"io"
	"sync"
)

// Body is an answer to be sent: a beginning of its own, then the part that all answers of a text
// share. It is an io.ReadCloser and an io.WriterTo, which does not copy the shared part. Close
// releases it.
type Body struct {
	encoding Encoding
	parts    [3][]byte // the beginning, the shared part, the end
	own      []byte    // backs the beginning and the end
	part, at int       // to read next
}

var bodies = sync.Pool{New: func() any { return new(Body) }}

// Body returns the answer that consists of start and the text, in the given encoding, or in
// Identity if another is not worthwhile; see Encoding. start may be reused afterwards.
func (t *Text) Body(e Encoding, start []byte) *Body {
	b := bodies.Get().(*Body)
	b.own, b.part, b.at, b.encoding = b.own[:0], 0, 0, Identity
	if e != Identity && t.length >= worthwhile {
		if f := t.form(e); f.data != nil {
			b.encoding = e
			b.join(f, start, t.length)
			return b
		}
	}
	b.own = append(b.own, start...)
	b.parts = [3][]byte{b.own, t.form(Identity).data, nil}
	return b
}

func (b *Body) join(f *form, start []byte, length int) {
	if b.encoding == Zstd {
		b.own = appendFrame(b.own, start, length)
		b.parts = [3][]byte{b.own, f.data, nil}
		return
	}
	b.own = appendMember(b.own, start)
	beginning := len(b.own)
	b.own = appendTrailer(b.own, start, f.checksum, length)
	b.parts = [3][]byte{b.own[:beginning], f.data, b.own[beginning:]}
}

// Encoding returns the encoding of the body.
func (b *Body) Encoding() Encoding { return b.encoding }

// Len returns the length of the whole body in bytes.
func (b *Body) Len() int { return len(b.parts[0]) + len(b.parts[1]) + len(b.parts[2]) }

// WriteTo writes the whole body.
func (b *Body) WriteTo(w io.Writer) (written int64, err error) {
	for _, part := range b.parts {
		n, err := w.Write(part)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// Read reads on in the body.
func (b *Body) Read(p []byte) (n int, err error) {
	for b.part < len(b.parts) {
		if n = copy(p, b.parts[b.part][b.at:]); n > 0 || len(p) == 0 {
			b.at += n
			return n, nil
		}
		b.part, b.at = b.part+1, 0
	}
	return 0, io.EOF
}

// Close ends the use of the body. It always returns nil.
func (b *Body) Close() error {
	b.parts = [3][]byte{}
	bodies.Put(b)
	return nil
}
