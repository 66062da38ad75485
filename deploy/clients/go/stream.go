package litfass

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"
)

// longestSilence is how long a stream may send nothing: the service sends its position every 15
// seconds, so the connection is lost then.
const longestSilence = 45 * time.Second

// stream reads one stream of changes to its end, for which it returns nil.
func (c *Client) stream(ctx context.Context, q ChangesQuery, take func(ChangesPage) bool) error {
	attempt, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(longestSilence, func() { cancel(errTimedOut) })
	defer silence.Stop()
	after := q.After
	q.After, q.Limit, q.Wait = "", 0, 0
	response, err := c.send(attempt, request{path: "/api/changes", query: values(q)}, "text/event-stream", after)
	if err != nil {
		return failed(ctx, attempt, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		text, err := io.ReadAll(io.LimitReader(response.Body, longestAnswer))
		if err != nil {
			return failed(ctx, attempt, err)
		}
		return refused(response, text)
	}
	if media, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); media != "text/event-stream" {
		return unexpected(response.StatusCode, errors.New(media+" instead of a stream of events"))
	}
	err = readEvents(response.Body, func() { silence.Reset(longestSilence) }, func(e event) error { return e.pass(take) })
	var failure *Error
	if err != nil && !errors.Is(err, errStopped) && !errors.As(err, &failure) {
		return failed(ctx, attempt, err)
	}
	return err
}

// event is a server-sent event, or the id alone.
type event struct {
	name, id string
	data     []byte
}

func (e event) pass(take func(ChangesPage) bool) error {
	page := ChangesPage{Position: e.id}
	switch {
	case e.name == "begin_again":
		return &Error{Kind: BeginAgain, Status: http.StatusGone, Code: "begin_again", Message: ErrBeginAgain.Error()}
	case e.name == "changes":
		if err := json.Unmarshal(e.data, &page); err != nil {
			return unexpected(http.StatusOK, err)
		}
	case e.id == "":
		return nil
	}
	if !take(page) {
		return errStopped
	}
	return nil
}

// readEvents calls take for each event of a stream, and heard for each line. An event that the end
// of the stream cuts off does not count.
func readEvents(stream io.Reader, heard func(), take func(event) error) error {
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, longestAnswer)
	var e event
	for lines.Scan() {
		heard()
		name, value, _ := bytes.Cut(bytes.TrimSuffix(lines.Bytes(), []byte("\r")), []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "event":
			e.name = string(value)
		case "id":
			e.id = string(value)
		case "data":
			if e.data != nil {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, value...)
		case "":
			if len(lines.Bytes()) > 0 && lines.Bytes()[0] == ':' {
				continue // a comment
			}
			if err := take(e); err != nil {
				return err
			}
			e = event{}
		}
	}
	return lines.Err()
}
