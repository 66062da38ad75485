package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows the progress of some work on a terminal. On any other output it only prints lines.
type progress struct {
	out *os.File
	bar *progressbar.ProgressBar // nil without a terminal
}

// newProgress returns the progress of work of a known size, or of an unknown one for -1.
func newProgress(out *os.File, what string, size int64) *progress {
	p := &progress{out: out}
	if !term.IsTerminal(int(out.Fd())) {
		return p
	}
	p.bar = progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(out),
		progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionFullWidth(),
	)
	return p
}

// reader wraps in and counts the bytes read as progress.
func (p *progress) reader(in io.Reader) io.Reader {
	if p.bar == nil {
		return in
	}
	return io.TeeReader(in, p.bar)
}

func (p *progress) add(done int) {
	if p.bar != nil {
		_ = p.bar.Add(done) // failing to draw the bar is no reason to stop
	}
}

// line prints a line above the bar.
func (p *progress) line(text string) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	_, _ = fmt.Fprintln(p.out, text) // nowhere left to report to
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
