// Package console shows the progress of the launcher on a terminal: one line for each step, with a
// running clock.
package console

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Console writes progress. It is safe for concurrent use, and steps may overlap. A nil *Console
// writes nothing.
type Console struct {
	mu     sync.Mutex
	out    io.Writer
	live   bool // out is a terminal: a line may be rewritten
	every  time.Duration
	active []*step
	drawn  bool // the running line is on the terminal
}

type step struct {
	title string
	start time.Time
}

// New returns a console on a file. On a terminal running steps show their seconds; in other files
// they are repeated at intervals, so that a log shows progress.
func New(out *os.File) *Console {
	c := &Console{out: out, every: 15 * time.Second}
	if info, err := out.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		c.live, c.every = true, time.Second
	}
	return c
}

// Line writes one line.
func (c *Console) Line(format string, args ...any) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wipe()
	fmt.Fprintf(c.out, format+"\n", args...)
	c.draw()
}

// Step shows a title while work runs, and then its duration. It returns the error of work, which is
// not printed.
func (c *Console) Step(title string, work func() error) error {
	if c == nil {
		return work()
	}
	s := &step{title: title, start: time.Now()}
	c.change(func() { c.active = append(c.active, s) })
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		c.tick(s, stop)
	}()
	err := work()
	close(stop)
	<-stopped
	c.change(func() { c.active = slices.DeleteFunc(c.active, func(other *step) bool { return other == s }) })
	if err == nil {
		c.Line("  %-58s %6.1f s", title, time.Since(s.start).Seconds())
	}
	return err
}

// change updates the running steps and shows them.
func (c *Console) change(apply func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wipe()
	apply()
	c.draw()
}

// tick shows the running time of a step until stop is closed.
func (c *Console) tick(s *step, stop <-chan struct{}) {
	ticker := time.NewTicker(c.every)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		if c.live {
			c.change(func() {})
		} else {
			c.Line("  %s ... %.0f s", s.title, time.Since(s.start).Seconds())
		}
	}
}

// draw shows the running steps on a terminal. The caller holds the lock.
func (c *Console) draw() {
	if !c.live || len(c.active) == 0 {
		return
	}
	titles := make([]string, len(c.active))
	for i, s := range c.active {
		titles[i] = s.title
	}
	line := []rune(strings.Join(titles, ", "))
	if len(line) > 64 {
		line = append(line[:61], []rune("...")...)
	}
	fmt.Fprintf(c.out, "  %-64s %4.0f s", string(line), time.Since(c.active[0].start).Seconds())
	c.drawn = true
}

// wipe removes the running line. The caller holds the lock.
func (c *Console) wipe() {
	if c.drawn {
		fmt.Fprint(c.out, "\r\x1b[K")
		c.drawn = false
	}
}
