package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/local/stack"
)

const (
	photos      = 16
	imageRounds = 3
)

// variants are the variants of an image that pages request: for cards, a list and a detail page.
var variants = []string{"width=320&ratio=3:2", "width=480&ratio=1:1", "width=640&ratio=3:2", "width=960&ratio=16:9"}

// gallery holds the variants of the images of public events.
type gallery struct {
	addresses []string // of the query service, without its base
	bare      *bare
}

// measureImages measures variants that are drawn because they are asked for the first time, and the
// same ones again, alternating with a bare handler that sends the same bytes.
func (b *bench) measureImages(ctx context.Context) (err error) {
	g := &gallery{}
	if g.addresses, err = b.uploadPhotos(ctx); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "litfass-bench-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := b.measureFirst(ctx, g.addresses, folder); err != nil {
		return err
	}
	if g.bare, err = startBare(ctx, folder); err != nil {
		return err
	}
	defer g.bare.stop()
	if err := b.measureAgain(ctx, g); err != nil {
		return err
	}
	return b.measurePeaks("drawing pictures", map[string]float64{stack.Query: 256})
}

// uploadPhotos adds images to released events and returns the addresses of all their variants.
func (b *bench) uploadPhotos(ctx context.Context) (addresses []string, err error) {
	o, err := b.newOrganizer(ctx, "images@example.org")
	if err != nil {
		return nil, err
	}
	venue, err := o.addVenue(ctx, "Galerie")
	if err != nil {
		return nil, err
	}
	bodies := newEvents(o.org, venue, "released")
	events := make([]created, b.some(photos))
	for n := range events {
		err := o.send(ctx, http.MethodPost, "/api/admin/event/create", "application/json", bodies[n], &events[n])
		if err == nil {
			err = o.upload(ctx, events[n].UUID, uint64(n))
		}
		if err != nil {
			return nil, err
		}
	}
	if err := b.stack.AwaitReady(ctx); err != nil {
		return nil, err
	}
	for _, event := range events {
		path, err := b.imagePath(ctx, event.UUID)
		if err != nil {
			return nil, err
		}
		for _, variant := range variants {
			addresses = append(addresses, path+"?"+variant)
		}
	}
	rand.Shuffle(len(addresses), func(i, j int) { addresses[i], addresses[j] = addresses[j], addresses[i] })
	return addresses, nil
}

// upload stores a photo as the main image of an event.
func (o *organizer) upload(ctx context.Context, event string, seed uint64) error {
	file, err := photo(seed, 1600, 1067)
	if err != nil {
		return err
	}
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("image", "photo.jpg")
	if err != nil {
		return err
	}
	if _, err := part.Write(file); err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	path := "/api/admin/event/" + event + "/image/1"
	return o.send(ctx, http.MethodPost, path, writer.FormDataContentType(), form.Bytes(), nil)
}

// imagePath returns where the query service has the image of a public event.
func (b *bench) imagePath(ctx context.Context, event string) (string, error) {
	answer, err := b.query.Get(ctx, "/api/event/"+event)
	if err != nil {
		return "", err
	}
	found, err := client.Data[struct{ Images []struct{ Path string } }](answer, "get-event")
	if err != nil {
		return "", err
	}
	if len(found.Images) != 1 {
		return "", fmt.Errorf("event %s has %d images", event, len(found.Images))
	}
	address, err := url.Parse(found.Images[0].Path)
	return address.Path, err
}

// measureFirst asks once for each variant and stores the answers in a folder, named by their places
// in the list.
func (b *bench) measureFirst(ctx context.Context, addresses []string, folder string) error {
	var asked atomic.Int64
	bytes := atomic.Int64{}
	done, err := repeat(ctx, load{
		clients: connections,
		going:   func() bool { return asked.Load() < int64(len(addresses)) },
		work: func(ctx context.Context) error {
			n := int(asked.Add(1)) - 1
			if n >= len(addresses) {
				return nil
			}
			answer, err := b.query.Get(ctx, addresses[n])
			if err != nil {
				return err
			}
			if answer.Status != http.StatusOK || answer.Header.Get("Content-Type") != "image/jpeg" {
				return fmt.Errorf("%s: %d %.300s", addresses[n], answer.Status, answer.Body)
			}
			bytes.Add(int64(len(answer.Body)))
			return os.WriteFile(filepath.Join(folder, fileName(n)), answer.Body, 0o600)
		},
	})
	if err != nil {
		return err
	}
	b.report.add("images", "variants", float64(len(addresses)), "")
	b.report.add("images", "mean size of a variant", float64(bytes.Load())/1024/float64(len(addresses)), "KiB")
	b.report.add("images", "variants asked for the first time", float64(len(addresses))/done.elapsed.Seconds(), "requests/s")
	b.report.add("images", "variants asked for the first time, p50", done.took.percentile(50), "ms")
	b.report.add("images", "variants asked for the first time, p99", done.took.percentile(99), "ms")
	return nil
}

func fileName(n int) string { return fmt.Sprintf("%d.jpeg", n) }

// measureAgain alternates between the query service and the bare handler.
func (b *bench) measureAgain(ctx context.Context, g *gallery) error {
	query := &served{pid: b.stack.Process(stack.Query).PID(), url: func(n int) string { return b.query.Base + g.addresses[n] }}
	bare := &served{pid: g.bare.command.Process.Pid, url: func(n int) string { return g.bare.url + "/" + fileName(n) }}
	for range imageRounds {
		for _, s := range []*served{bare, query} {
			if err := b.serve(ctx, s, len(g.addresses)); err != nil {
				return err
			}
		}
	}
	b.report.add("images", "variants asked for again", query.perSecond(), "requests/s")
	b.report.add("images", "bare Fiber handler with the same bytes", bare.perSecond(), "requests/s")
	b.report.aimed("images", "variants asked for again beside the bare handler", query.perSecond()/bare.perSecond(), "ratio", atLeast(0.5))
	b.report.add("images", "CPU of the query service, asked again", query.perRequest(), "ms/request")
	b.report.add("images", "CPU of the bare handler", bare.perRequest(), "ms/request")
	return nil
}

// served is what a process has answered in all its rounds.
type served struct {
	pid int
	url func(n int) string

	round
	spent time.Duration // CPU of the process
}

func (s *served) perRequest() float64 { return s.cpu(s.spent) }

// serve sends one round of requests for all variants in turn.
func (b *bench) serve(ctx context.Context, s *served, variants int) error {
	before, err := cpuTime(s.pid)
	if err != nil {
		return err
	}
	var asked atomic.Int64
	done, err := b.drive(ctx, b.span(roundLasting), func() request {
		return request{method: http.MethodGet, url: s.url(int(asked.Add(1)) % variants)}
	})
	if err != nil {
		return err
	}
	after, err := cpuTime(s.pid)
	s.add(done)
	s.spent += after - before
	return err
}
