package feeds

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"litfass/deploy/e2e/browser"
	"litfass/deploy/local/proc"
	"litfass/deploy/local/stack"
)

// Date is a date as a subscriber sees it in a feed. Fields that the format lacks are "".
type Date struct {
	ID, Name, Status, Place string
	Start                   string // a moment in UTC, or a day
	Local                   string // the local time of the start
	Changed                 string // a moment in UTC
}

// Reader reads feeds with the JavaScript parsers of read.mjs, which share no code with those of
// IDs.
type Reader struct {
	in      io.Writer
	answers *bufio.Scanner
}

// maxAnswer bounds the dates of a feed, in bytes.
const maxAnswer = 16 << 20

// NewReader starts a reader, which ends with the test. The first one fetches its packages.
func NewReader(t testing.TB) *Reader {
	t.Helper()
	r, end, err := start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func start(ctx context.Context) (r *Reader, end func() error, err error) {
	root, err := stack.FindRoot()
	if err != nil {
		return nil, nil, err
	}
	from := filepath.Join(root, "deploy", "e2e", "feeds")
	home, err := browser.Packages(ctx, root, from)
	if err != nil {
		return nil, nil, err
	}
	script, err := os.ReadFile(filepath.Join(from, "read.mjs"))
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.Command("node", "--input-type=module", "--eval", string(script)) //nolint:noctx // end ends it, and waits
	cmd.Dir, cmd.Stderr = home, os.Stderr
	proc.EndWithParent(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	r = &Reader{in: in, answers: bufio.NewScanner(out)}
	r.answers.Buffer(nil, maxAnswer)
	return r, func() error { return errors.Join(in.Close(), cmd.Wait()) }, cmd.Start()
}

// Dates returns the dates of a feed, in their order. A feed that the parser cannot read is an
// error. One call at a time is allowed.
func (r *Reader) Dates(format string, feed []byte) ([]Date, error) {
	line, err := json.Marshal(map[string]string{"format": format, "body": string(feed)})
	if err != nil {
		return nil, err
	}
	if _, err := r.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	if !r.answers.Scan() {
		return nil, errors.Join(errors.New("the reader has ended"), r.answers.Err())
	}
	var answer struct {
		Dates []Date
		Error string
	}
	if err := json.Unmarshal(r.answers.Bytes(), &answer); err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, fmt.Errorf("%s: %s", format, answer.Error)
	}
	return answer.Dates, nil
}
