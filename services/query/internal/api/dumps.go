package api

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/dump"
	"litfass/services/query/internal/params"
)

// mountDumps adds the description of the open data, and its files.
func (d Deps) mountDumps(api fiber.Router) {
	api.Get("/catalog.jsonld", web.Cacheable(d.Caching), d.catalog)
	api.Get("/dumps/:file", d.dump)
}

// catalog answers GET /api/catalog.jsonld.
func (d Deps) catalog(c *fiber.Ctx) error {
	if _, err := parse(c, params.Named); err != nil {
		return err
	}
	last, _, err := d.Dumps.Latest()
	if err != nil {
		return err
	}
	data, err := value.JSON(dump.Description{Site: d.Site, License: d.License}.DCAT(last))
	if err != nil {
		return err
	}
	return sendText(c, "application/ld+json", encoded.New(data))
}

// dump answers GET /api/dumps/{file}, also with a part of the file. A file stays the same until the
// next dump.
func (d Deps) dump(c *fiber.Ctx) error {
	if _, err := parse(c, params.Named); err != nil {
		return err
	}
	file, last, content, err := d.Dumps.Open(c.Params("file"))
	if err != nil {
		return err
	}
	tag := `"` + file.SHA256 + `"`
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderLastModified, last.Modified.Format(http.TimeFormat))
	c.Set(fiber.HeaderAcceptRanges, "bytes")
	c.Set(fiber.HeaderCacheControl, fmt.Sprintf("public, max-age=%d", max(int(d.Dumps.Next().Sub(d.Now()).Seconds()), 0)))
	c.Response().Header.SetContentType(file.ContentType)
	if sent := c.Get(fiber.HeaderIfNoneMatch); sent != "" && web.Holds(sent, tag) {
		c.Status(fiber.StatusNotModified)
		return content.Close()
	}
	from, to, status := wantedPart(c, file, tag, last.Modified)
	c.Status(status)
	switch status {
	case fiber.StatusRequestedRangeNotSatisfiable:
		c.Set(fiber.HeaderContentRange, fmt.Sprintf("bytes */%d", file.Size))
		return content.Close()
	case fiber.StatusPartialContent:
		c.Set(fiber.HeaderContentRange, fmt.Sprintf("bytes %d-%d/%d", from, to-1, file.Size))
	}
	return c.SendStream(part{io.NewSectionReader(content, from, to-from), content}, int(to-from))
}

// part is a part of a file, which is closed when it has been sent.
type part struct {
	io.Reader
	io.Closer
}

// oneRange is a range of bytes, of which one end may be open. Others are ignored (RFC 9110, 14.2).
var oneRange = regexp.MustCompile(`^bytes=(\d{0,18})-(\d{0,18})$`)

// wantedPart returns the bytes of a file that a request asks for, and the status of the answer.
func wantedPart(c *fiber.Ctx, file dump.File, tag string, modified time.Time) (from, to int64, status int) {
	sent := oneRange.FindStringSubmatch(c.Get(fiber.HeaderRange))
	since := c.Get(fiber.HeaderIfRange)
	if sent == nil || sent[1]+sent[2] == "" || since != "" && since != tag && since != modified.Format(http.TimeFormat) {
		return 0, file.Size, fiber.StatusOK
	}
	first, _ := strconv.ParseInt(sent[1], 10, 64) // digits, or "" for 0
	last, err := strconv.ParseInt(sent[2], 10, 64)
	switch {
	case sent[1] == "": // the last bytes
		first, last = max(file.Size-last, 0), file.Size-1
	case err != nil:
		last = file.Size - 1
	case last < first:
		return 0, file.Size, fiber.StatusOK
	}
	if first >= file.Size {
		return 0, 0, fiber.StatusRequestedRangeNotSatisfiable
	}
	return first, min(last, file.Size-1) + 1, fiber.StatusPartialContent
}
