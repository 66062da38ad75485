package encoded

import (
	"crypto/sha256"
	"encoding/base64"
	"sync"
	"sync/atomic"
)

// worthwhile is the length in bytes from which a text is compressed: a shorter one leaves in the
// same packet either way.
const worthwhile = 1 << 10

// Text is a whole answer, or the end of answers that differ only in their beginnings. It is safe
// for concurrent use.
type Text struct {
	length int
	dense  bool // compressed once and sent for a long time
	tag    func() string
	forms  [encodings]atomic.Pointer[form] // one at least

	making sync.Mutex // of forms, and their end
	resize func()
}

// form is a text in one encoding. A form that would be no shorter than the text has no data.
type form struct {
	data     []byte
	checksum checksum // of the text; in Gzip only
}

// formBytes is the cost of a form besides its data, approximately.
const formBytes = 96

func (f *form) size() int { return cap(f.data) + formBytes }

// New returns a text, which must not be changed afterwards.
func New(text []byte) *Text {
	t := &Text{length: len(text), resize: func() {}}
	t.forms[Identity].Store(&form{data: text})
	t.tag = sync.OnceValue(func() string {
		t.making.Lock()
		defer t.making.Unlock()
		return TagOf(t.plain())
	})
	return t
}

// NewDense returns a text as New does, whose forms are as small as they get and take longer to
// make: those of files are made once in the life of the process.
func NewDense(text []byte) *Text {
	t := New(text)
	t.dense = true
	return t
}

// TagOf returns the weak entity tag of a text. It is weak because the bytes of an answer depend on
// its encoding and beginning (RFC 9110, 8.8.3).
func TagOf(text []byte) string {
	sum := sha256.Sum256(text)
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// Tag returns the weak entity tag of the text. Equal texts have equal tags, in every process.
func (t *Text) Tag() string { return t.tag() }

// Size returns the bytes of memory that the text takes now, in all its forms.
func (t *Text) Size() (bytes int) {
	for e := range t.forms {
		if f := t.forms[e].Load(); f != nil {
			bytes += f.size()
		}
	}
	return bytes
}

// OnResize sets the function to call after a form was made on demand.
func (t *Text) OnResize(resize func()) {
	t.making.Lock()
	defer t.making.Unlock()
	t.resize = resize
}

// Plain returns the unencoded text, which must not be changed.
func (t *Text) Plain() []byte {
	t.making.Lock()
	defer t.making.Unlock()
	return t.plain()
}

// Packed reports whether only encoded forms are held.
func (t *Text) Packed() bool { return t.forms[Identity].Load() == nil }

// form returns the text in an encoding, made if it is not there.
func (t *Text) form(e Encoding) *form {
	if f := t.forms[e].Load(); f != nil {
		return f
	}
	f, made := t.make(e)
	made()
	return f
}

// make returns the text in an encoding, and the function to call afterwards.
func (t *Text) make(e Encoding) (f *form, made func()) {
	t.making.Lock()
	defer t.making.Unlock()
	if f := t.forms[e].Load(); f != nil {
		return f, func() {}
	}
	plain := t.plain()
	switch e {
	case Gzip:
		f = deflate(plain, t.dense)
	case Zstd:
		f = compress(plain, t.dense)
	default:
		f = &form{data: plain}
	}
	if e != Identity && len(f.data) >= t.length {
		f = &form{}
	}
	t.forms[e].Store(f)
	return f, t.resize
}

// plain returns the unencoded text, from another form if necessary. It is called with making held.
func (t *Text) plain() []byte {
	if f := t.forms[Identity].Load(); f != nil {
		return f.data
	}
	if f := t.forms[Zstd].Load(); f != nil && f.data != nil {
		return decompress(f.data, t.length)
	}
	return inflate(t.forms[Gzip].Load().data, t.length)
}

// Pack drops all but the smallest encoding of the text; the others are made again on demand.
func (t *Text) Pack() {
	if t.length >= worthwhile && t.forms[Gzip].Load() == nil {
		t.make(Zstd)
	}
	t.making.Lock()
	defer t.making.Unlock()
	smallest := t.smallest()
	for e := range t.forms {
		if Encoding(e) != smallest {
			t.forms[e].Store(nil)
		}
	}
}

func (t *Text) smallest() Encoding {
	var smallest Encoding
	var least *form
	for e := range encodings {
		f := t.forms[e].Load()
		holds := f != nil && (e == Identity || f.data != nil)
		if holds && (least == nil || f.size() < least.size()) {
			smallest, least = e, f
		}
	}
	return smallest
}
