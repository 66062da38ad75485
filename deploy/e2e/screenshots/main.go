// Command screenshots takes screenshots of pages, each on a phone, on a desktop, dark and printed.
// It runs a stack of its own with the demo catalogue on free loopback ports, or looks at a running
// one.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"litfass/deploy/e2e/browser"
	"litfass/deploy/local/console"
	"litfass/deploy/local/stack"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	base := flag.String("base", "", "address of a running stack, such as http://127.0.0.1:8080; empty: one of its own")
	people := flag.String("people", "", "file with the logins of the running stack's people; empty: the pages of the console are left out")
	only := flag.String("only", "", "only pages with this text in their names")
	out := flag.String("out", filepath.Join(".local", "screenshots"), "folder of the pictures")
	limit := flag.Duration("limit", 20*time.Minute, "how long the run may last")
	flag.Parse()
	ctx, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()
	folder, err := filepath.Abs(*out)
	if err != nil {
		return err
	}
	screen := console.New(os.Stderr)
	if *base != "" {
		return photograph(ctx, screen, *base, *people, folder, *only)
	}
	return withStack(ctx, screen, func(base, people string) error {
		return photograph(ctx, screen, base, people, folder, *only)
	})
}

// withStack runs a stack with the demo catalogue while work runs with its address and the file of
// its people's logins.
func withStack(ctx context.Context, screen *console.Console, work func(base, people string) error) error {
	s, err := stack.New(ctx, stack.Options{Console: screen, Demo: true, Scratch: true, Env: []string{"RATE_LIMITS=off"}})
	if err != nil {
		return err
	}
	err = s.Start(ctx)
	if err == nil {
		err = screen.Step("filling the index", func() error { return s.AwaitReady(ctx) })
	}
	if err == nil {
		err = work(s.URL(), s.PeopleFile())
	}
	return errors.Join(err, s.Close())
}

// photograph takes the screenshots of all pages with a text in their names. Errors of the pages are
// returned after all screenshots are taken.
func photograph(ctx context.Context, screen *console.Console, base, people, folder, only string) (err error) {
	found, err := lookUp(ctx, base)
	if err != nil {
		return err
	}
	b, err := browser.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	shots := shotsOf(pagesOf(found), nil, only)
	if people != "" {
		states, err := logIn(ctx, b, base, people)
		if err != nil {
			return err
		}
		shots = append(shots, shotsOf(organizersPages(found), states, only)...)
		shots = append(shots, stateShots(found.own.OrgUUID, states, only)...)
	}
	var wrong []error
	for _, shot := range shots {
		shot.journey.Base, shot.journey.Args["folder"] = base, folder
		step := func() error {
			result, err := b.Walk(ctx, shot.journey)
			for _, failure := range result.Failures {
				wrong = append(wrong, fmt.Errorf("%s: %s", shot.name, failure))
			}
			return err
		}
		if err := screen.Step("showing "+shot.name, step); err != nil {
			return err
		}
	}
	return errors.Join(wrong...)
}

// shot is a journey that takes screenshots.
type shot struct {
	name    string
	journey browser.Journey
}

// shotsOf returns the shots of pages with a text in their names.
func shotsOf(pages []page, people logins, only string) (shots []shot) {
	for _, shown := range pages {
		if strings.Contains(shown.Name, only) {
			shots = append(shots, shot{shown.Name, browser.Journey{
				Name: "screenshots", Args: map[string]any{"pages": []page{shown}}, Context: people.context(shown.person),
			}})
		}
	}
	return shots
}
