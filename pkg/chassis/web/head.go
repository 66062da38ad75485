package web

import (
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
	"golang.org/x/sync/semaphore"

	"litfass/pkg/chassis/fault"
)

// smallBody is how long a body may be that is always read. Memory for a longer one is taken from
// Options.BodyMemory before its first byte, and given back after the answer: the values decoded
// from a body are larger than the body.
const smallBody = 16 << 10

// inChunks is the length of a body that is sent in chunks.
const inChunks = -1

// refusedLimit is the longest body that is read when there is no memory: the server takes 0 for its
// own limit.
const refusedLimit = 1

// heads remembers requests whose bodies have still to arrive. The server forgets all of a request
// whose body it could not read, but its answer must name the operation.
type heads struct {
	streamed bool // bodies are read by their handlers, with limits of their own
	most     int  // bytes of one body
	memory   int64
	free     *semaphore.Weighted
	timeout  time.Duration // for a whole request to arrive

	noted sync.Map // *head by *fasthttp.RequestHeader
}

// head is a request whose body has still to arrive.
type head struct {
	path    string
	refused bool // there is no memory for the body

	memory func()      // gives it back; nil if none was taken
	lost   *time.Timer // does so for a body that never comes
}

func newHeads(options Options) *heads {
	return &heads{
		streamed: options.StreamBodies, most: options.BodyLimit, memory: int64(options.BodyMemory),
		free: semaphore.NewWeighted(int64(options.BodyMemory)), timeout: options.ReadTimeout,
	}
}

// watch makes the server of an app note the heads that it reads.
func (h *heads) watch(app *fiber.App) {
	app.Server().HeaderReceived = func(header *fasthttp.RequestHeader) (config fasthttp.RequestConfig) {
		length := header.ContentLength()
		if length <= 0 && length != inChunks {
			return config // the server's own limits
		}
		noted := &head{path: pathIn(header)}
		if !h.streamed {
			h.reserve(noted, length)
		}
		if noted.refused {
			config.MaxRequestBodySize = refusedLimit
		}
		h.noted.Store(header, noted)
		return config
	}
}

// reserve takes the memory for a body, or refuses it.
func (h *heads) reserve(of *head, length int) {
	if length == inChunks {
		length = h.most
	}
	if length <= smallBody || length > h.most { // the latter is not read
		return
	}
	bytes := min(int64(length), h.memory)
	if of.refused = !h.free.TryAcquire(bytes); of.refused {
		return
	}
	of.memory = sync.OnceFunc(func() { h.free.Release(bytes) })
	// The server says nothing of a client that goes before the first chunk of a body.
	of.lost = time.AfterFunc(h.timeout+time.Second, of.memory)
}

// take forgets a request, whose body is there or will not come, and returns its head; nil if it has
// no body.
func (h *heads) take(c *fiber.Ctx) *head {
	value, _ := h.noted.LoadAndDelete(&c.Context().Request.Header)
	noted, _ := value.(*head)
	if noted != nil && noted.lost != nil {
		noted.lost.Stop()
	}
	return noted
}

// release gives back the memory of a body that is not needed any more.
func (of *head) release() {
	if of != nil && of.memory != nil {
		of.memory()
	}
}

// refusal returns the error to answer a request with that could not be read because of err.
func (of *head) refusal(err error) error {
	if of.refused {
		return fault.Overloaded("too many large requests are arriving; try again in a moment")
	}
	return err
}

// pathIn returns the path of a request line, without what cannot be read as an address.
func pathIn(header *fasthttp.RequestHeader) string {
	address := fasthttp.AcquireURI()
	defer fasthttp.ReleaseURI(address)
	if err := address.Parse(nil, header.RequestURI()); err != nil {
		return ""
	}
	return string(address.Path())
}
