package encoded

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	kgzip "github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// someText returns a text of JSON that compresses about as pages of entries do.
func someText(r *rand.Rand, length int) []byte {
	var b bytes.Buffer
	for b.Len() < length {
		fmt.Fprintf(&b, `{"title":"Event %d","city":"Flensburg","lat":54.%d},`, r.IntN(1000), r.IntN(1e6))
	}
	return b.Bytes()[:length]
}

// decoders are how clients read each encoding; all must agree.
var decoders = map[Encoding]map[string]func(io.Reader) ([]byte, error){
	Identity: {"none": io.ReadAll},
	Gzip: {
		"standard library": func(r io.Reader) ([]byte, error) {
			return oneMember(gzip.NewReader(r))
		},
		"klauspost": func(r io.Reader) ([]byte, error) {
			return oneMember(kgzip.NewReader(r))
		},
	},
	Zstd: {
		"stream": func(r io.Reader) ([]byte, error) {
			decoder, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
			if err != nil {
				return nil, err
			}
			defer decoder.Close()
			return io.ReadAll(decoder)
		},
		"whole, with the least memory": func(r io.Reader) ([]byte, error) {
			frame, err := io.ReadAll(r)
			if err != nil {
				return nil, err
			}
			decoder, err := zstd.NewReader(nil, zstd.WithDecoderMaxWindow(1<<windowLog))
			if err != nil {
				return nil, err
			}
			defer decoder.Close()
			return decoder.DecodeAll(frame, nil)
		},
	},
}

// oneMember reads the first member of a file, as the simplest of clients do.
func oneMember[R interface {
	io.Reader
	Multistream(bool)
}](r R, err error,
) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	r.Multistream(false)
	return io.ReadAll(r)
}

// check reads a body with every decoder.
func check(t *testing.T, text *Text, e Encoding, start, want []byte) {
	t.Helper()
	body := text.Body(e, start)
	var sent bytes.Buffer
	if n, err := body.WriteTo(&sent); err != nil || int(n) != body.Len() || sent.Len() != body.Len() {
		t.Fatalf("%v: wrote %d bytes of %d, %v", e, n, body.Len(), err)
	}
	read, err := io.ReadAll(body)
	if err != nil || !bytes.Equal(read, sent.Bytes()) {
		t.Fatalf("%v: read %d bytes other than the %d written, %v", e, len(read), sent.Len(), err)
	}
	if compressed := e != Identity && len(want)-len(start) >= worthwhile; compressed && body.Encoding() == Identity {
		t.Errorf("%v: %d bytes are not compressed", e, len(want))
	}
	for name, decode := range decoders[body.Encoding()] {
		got, err := decode(bytes.NewReader(sent.Bytes()))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v by %s: %d bytes, want %d, %v", e, name, len(got), len(want), err)
		}
	}
	_ = body.Close()
}

func TestEveryDecoderReadsTheBeginningAndTheText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lengths := []int{0, 1, worthwhile - 1, worthwhile, 25_000, 1<<16 - 1, 1 << 16, 1<<17 + 1, 300_000}
	for range 10 {
		lengths = append(lengths, r.IntN(200_000))
	}
	for _, length := range lengths {
		plain := someText(r, length)
		texts := []*Text{New(plain), NewDense(plain)}
		for _, startLength := range []int{0, 1, 190 + r.IntN(20), storedBytes, storedBytes + 1, rawBytes + 7} {
			start := someText(r, startLength)
			for _, text := range texts {
				for e := range encodings {
					check(t, text, e, start, append(bytes.Clone(start), plain...))
				}
			}
		}
	}
}

// TestAPackedTextIsReadAsBefore: whichever forms were there.
func TestAPackedTextIsReadAsBefore(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, length := range []int{0, 500, 25_000, 300_000} {
		plain := someText(r, length)
		for _, asked := range [][]Encoding{{}, {Gzip}, {Zstd}, {Gzip, Zstd}, {Zstd, Identity, Gzip}} {
			for e := range encodings {
				text := New(bytes.Clone(plain))
				for _, one := range asked {
					check(t, text, one, nil, plain)
				}
				before := text.Size()
				text.Pack()
				packed := text.Size()
				if packed > before || (length > worthwhile && packed > before/2) {
					t.Errorf("%d bytes with %v: %d packed from %d", length, asked, packed, before)
				}
				check(t, text, e, []byte("start"), append([]byte("start"), plain...))
				text.Pack()
				if again := text.Size(); again > packed {
					t.Errorf("packed again: %d, before %d", again, packed)
				}
			}
		}
	}
}

// TestDenseTextsAreSmaller in each encoding.
func TestDenseTextsAreSmaller(t *testing.T) {
	plain, err := os.ReadFile("encoded_test.go") // words, as in scripts
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []Encoding{Gzip, Zstd} {
		fast, dense := New(plain).Body(e, nil).Len(), NewDense(plain).Body(e, nil).Len()
		if dense > fast*95/100 {
			t.Errorf("%v: %d bytes, and %d of the same text in haste", e, dense, fast)
		}
	}
}

func TestWhatDoesNotCompressIsSentAsItIs(t *testing.T) {
	noise := make([]byte, 5000)
	source := rand.NewChaCha8([32]byte{5})
	_, _ = source.Read(noise) // never fails
	text := New(noise)
	for e := range encodings {
		body := text.Body(e, []byte("x"))
		got, err := io.ReadAll(body)
		if body.Encoding() != Identity || err != nil || string(got) != "x"+string(noise) {
			t.Errorf("%v: sent in %v, %v", e, body.Encoding(), err)
		}
	}
	text.Pack()
	check(t, text, Identity, nil, noise)
}

// TestSizeFollowsTheForms: new forms are reported, and counted with their capacity.
func TestSizeFollowsTheForms(t *testing.T) {
	plain := append(make([]byte, 0, 50_000), someText(rand.New(rand.NewPCG(6, 7)), 25_000)...)
	text := New(plain)
	resized := 0
	text.OnResize(func() { resized++ })
	sizes := []int{text.Size()}
	for _, e := range []Encoding{Identity, Gzip, Gzip, Zstd, Zstd} {
		_ = text.Body(e, nil).Close()
		sizes = append(sizes, text.Size())
	}
	if resized != 2 || sizes[0] < 50_000 || sizes[2] <= sizes[1] || sizes[3] != sizes[2] || sizes[4] <= sizes[3] {
		t.Errorf("sizes %v, announced %d times", sizes, resized)
	}
}

// TestConcurrentUse: packing does not remove an encoding while it is being read.
func TestConcurrentUse(t *testing.T) {
	plain := someText(rand.New(rand.NewPCG(8, 9)), 25_000)
	text := New(plain)
	var readers sync.WaitGroup
	for i := range 6 {
		readers.Go(func() {
			for j := range 40 {
				start := fmt.Appendf(nil, "%d/%d", i, j)
				check(t, text, Encoding(j%int(encodings)), start, append(start, plain...))
				if j%5 == i%5 {
					text.Pack()
				}
			}
		})
	}
	readers.Wait()
}

func TestTagsTellTextsApart(t *testing.T) {
	a, same, other := New([]byte("a")).Tag(), New([]byte("a")).Tag(), New([]byte("b")).Tag()
	if a != same || a == other || !strings.HasPrefix(a, `W/"`) || !strings.HasSuffix(a, `"`) {
		t.Errorf("tags %s, %s and %s", a, same, other)
	}
}

func TestNegotiate(t *testing.T) {
	for header, want := range map[string]Encoding{
		"":                                  Identity,
		"gzip":                              Gzip,
		"gzip, deflate, br, zstd":           Zstd,
		"gzip, deflate":                     Gzip,
		"deflate, br":                       Identity,
		"X-GZip":                            Gzip,
		"zstd;q=0.5, gzip":                  Gzip,
		"zstd;q=0.5, gzip;q=0.5":            Zstd,
		"zstd ; q=0.500 ,gzip; q=0.501":     Gzip,
		"gzip;q=0":                          Identity,
		"gzip;q=0, zstd;q=0.001":            Zstd,
		"*":                                 Zstd,
		"*;q=0":                             Identity,
		"gzip, *;q=0":                       Gzip,
		"zstd;q=0, *":                       Gzip,
		"identity":                          Identity,
		"identity, gzip;q=0.5":              Identity,
		"identity;q=0.5, gzip;q=0.8":        Gzip,
		"identity;q=0.5, gzip;q=0.5":        Gzip,
		"identity;q=0":                      Identity,
		"identity;q=0, gzip;q=0":            Identity,
		"gzip;q=2, zstd;q=x, *;q=":          Identity,
		"gzip;q=NaN, zstd;q=0x1p-2":         Identity,
		"gzip;v=1":                          Identity,
		"gzip;q=-1":                         Identity,
		",,gzip,,":                          Gzip,
		"gzipped, zstd2":                    Identity,
		strings.Repeat("br,", 1e4) + "gzip": Gzip,
	} {
		if got := Negotiate([]byte(header)); got != want {
			t.Errorf("%.60s: %v, want %v", header, got, want)
		}
	}
}

func BenchmarkForms(b *testing.B) {
	plain := someText(rand.New(rand.NewPCG(1, 1)), 25_000)
	b.Run("tag", func(b *testing.B) {
		for b.Loop() {
			TagOf(plain)
		}
	})
	for name, encode := range map[string]func([]byte, bool) *form{"gzip": deflate, "zstd": compress} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				encode(plain, false)
			}
			b.ReportMetric(float64(len(encode(plain, false).data)), "bytes")
		})
	}
	text := New(plain)
	start := bytes.Repeat([]byte("s"), 200)
	for e := range encodings {
		b.Run("body in "+e.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = text.Body(e, start).Close()
			}
		})
	}
}
