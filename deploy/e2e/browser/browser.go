// Package browser walks journeys through web pages in a real browser: Chromium by Playwright, both
// from npm by their lock file, with libraries and fonts of their own. Nothing of the system is used
// besides Node.js.
//
// A journey is a file of journeys/, which gets the Kit of lib/kit.mjs. Beyond its own checks, a
// journey fails on script errors, errors in the browser's console, requests to other origins, and
// violations of the Content-Security-Policy. CHROMIUM names another browser.
package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"litfass/deploy/local/proc"
	"litfass/deploy/local/stack"
)

// Journey is one walk through pages.
type Journey struct {
	Name string         `json:"name"` // of its file, without .mjs
	Base string         `json:"base"` // address of the site: "http://127.0.0.1:8080"
	Args map[string]any `json:"args"` // what the journey itself takes
	// Context are options of Playwright's newContext for all pages, such as "javaScriptEnabled".
	Context map[string]any `json:"context"`
	// Origins may be asked besides that of Base: "http://127.0.0.1:8090".
	Origins []string `json:"origins"`
	// Pictures has a failed journey write screenshots of its pages to .local/browser-failures.
	Pictures bool `json:"pictures"`
}

// Result are the observations of a journey.
type Result struct {
	Failures []Failure       `json:"failures"`
	Pictures []string        `json:"pictures"` // files with the pages at a failure
	Requests []Request       `json:"requests"` // in the order of their answers
	Value    json.RawMessage `json:"value"`    // what the journey returned
	// Shifts are the maximum layout shifts of moved documents (CLS), by address.
	Shifts map[string]float64 `json:"shifts"`
}

// Shift returns the maximum layout shift of a document.
func (r Result) Shift() float64 {
	most := 0.0
	for _, shift := range r.Shifts {
		most = max(most, shift)
	}
	return most
}

// Failure is something that went wrong.
type Failure struct {
	// Kind is axe, console (an error there), journey (a step that failed), origin (a request to
	// another one), page (an error of a script), policy (a breach of the CSP), or reflow (too wide).
	Kind string `json:"kind"`
	Text string `json:"text"`
	Page string `json:"page"` // its address
}

// String returns the failure on one or more lines.
func (f Failure) String() string { return fmt.Sprintf("%s: %s (on %s)", f.Kind, f.Text, f.Page) }

// Request is a request that was answered.
type Request struct {
	URL    string `json:"url"`
	Type   string `json:"type"` // document, script, stylesheet, image, font, fetch, ...
	Status int    `json:"status"`
	Bytes  int    `json:"bytes"` // of the body by gzip, however it was sent
}

// Browser is a running browser. It walks one journey at a time and is safe for concurrent use.
type Browser struct {
	mu      sync.Mutex
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan []byte // closed when the program has ended
	said    bytes.Buffer
	scratch string
}

// longestAnswer bounds the answer of a journey, in bytes.
const longestAnswer = 16 << 20

// Open starts a browser, which is fetched if it is not there. Close ends it.
func Open(ctx context.Context) (*Browser, error) {
	root, err := stack.FindRoot()
	if err != nil {
		return nil, err
	}
	home, err := install(ctx, root)
	if err != nil {
		return nil, err
	}
	b := &Browser{answers: make(chan []byte)}
	if b.scratch, err = os.MkdirTemp("", "litfass-browser-"); err != nil {
		return nil, err
	}
	if err := b.start(root, home); err != nil {
		return nil, errors.Join(err, os.RemoveAll(b.scratch))
	}
	return b, nil
}

func (b *Browser) start(root, home string) error {
	b.cmd = exec.Command("node", "run.mjs") //nolint:noctx // Close ends it, and waits
	b.cmd.Dir = folder(root)
	b.cmd.Env = append(os.Environ(), "BROWSER_HOME="+home, "TMPDIR="+b.scratch,
		"BROWSER_FAILURES="+filepath.Join(root, ".local", "browser-failures"))
	b.cmd.Stderr = &b.said
	b.cmd.WaitDelay = 10 * time.Second
	proc.EndWithParent(b.cmd)
	in, err := b.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := b.cmd.Start(); err != nil {
		return err
	}
	b.in = in
	go b.read(out)
	return nil
}

// read passes the answers on, one a line.
func (b *Browser) read(out io.Reader) {
	defer close(b.answers)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, longestAnswer)
	for lines.Scan() {
		b.answers <- bytes.Clone(lines.Bytes())
	}
}

// Walk walks a journey. The result has its failures; the error means that the browser itself did
// not work, or that ctx has ended. After an error only Close may be called.
func (b *Browser) Walk(ctx context.Context, j Journey) (Result, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var result Result
	order, err := json.Marshal(j)
	if err != nil {
		return result, err
	}
	if _, err := b.in.Write(append(order, '\n')); err != nil {
		return result, fmt.Errorf("the browser has ended: %w", err)
	}
	select {
	case answer, alive := <-b.answers:
		if !alive {
			return result, errors.New("the browser has ended")
		}
		return result, json.Unmarshal(answer, &result)
	case <-ctx.Done():
		return result, ctx.Err()
	}
}

// Close ends the browser. The error has its output on standard error, if it failed.
func (b *Browser) Close() error {
	_ = b.in.Close() // it has ended before, else it ends by this
	for range b.answers {
		continue // answers that were not waited for
	}
	err := b.cmd.Wait()
	if err != nil {
		err = fmt.Errorf("the browser: %w\n%s", err, b.said.String())
	}
	return errors.Join(err, proc.RemoveAll(b.scratch))
}
