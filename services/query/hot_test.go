package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/api"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/curated"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/places"
	"litfass/services/query/internal/portals"
	"litfass/services/query/internal/search"
	"litfass/services/query/internal/series"
)

// hotSearch is a usual search of a website.
const hotSearch = "/api/events?start=today&countries=DEU&categories=1,2&title=*jazz*&limit=20"

// pageOfEntries is an engine's answer of 20 entries, 25 kB.
func pageOfEntries() []byte {
	var hits []string
	for i := range 20 {
		var text strings.Builder
		for word := range 120 {
			fmt.Fprintf(&text, "word%d ", (i*7919+word*104729)%1000)
		}
		hits = append(hits, fmt.Sprintf(
			`{"date_uuid":"01930000-0000-7000-8000-%012x","start_date":"2026-11-20","start_time":"19:30","title":"Jazz","summary":%q,"categories":[1,2]}`,
			i, text.String()))
	}
	return fmt.Appendf(nil, `{"hits":[%s],"query":""}`, strings.Join(hits, ","))
}

// hotApp is the service in front of an engine that gives every search the same answer.
func hotApp(b *testing.B, config config) *fiber.App {
	b.Helper()
	answer := pageOfEntries()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(answer) }))
	b.Cleanup(server.Close)
	e, err := engine.Connect(index.Config{URL: server.URL}, time.Minute)
	if err != nil {
		b.Fatal(err)
	}
	log := slog.New(slog.NewJSONHandler(io.Discard, nil))
	signal := cache.NewSignal(time.Now)
	stop := make(chan struct{})
	var heard sync.WaitGroup
	heard.Go(func() {
		for {
			signal.Hear(applied.Signal{Sequence: 1})
			select {
			case <-stop:
				return
			case <-time.After(time.Second):
			}
		}
	})
	b.Cleanup(func() { close(stop); heard.Wait() })
	store := places.NewStore(places.InIndexes(e), signal, time.Now, log)
	known := portals.NewStore(portals.InIndex(e), signal, time.Now, log)
	picked := curated.NewStore(curated.InIndex(e), signal, time.Now)
	app := newApp(config, nil, log, web.NewMetrics(), nil)
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		b.Fatal(err)
	}
	answers := cache.New(signal, 64<<20, time.Minute)
	api.Mount(app, api.Deps{
		Search: search.NewSearcher(e, store, known, picked, answers), Places: store, Portals: known, Curated: picked, Series: series.NewStore(e, signal, time.Now), Cache: answers,
		Lists: lists.NewReader(e, signal, time.Now), Now: time.Now, Zone: zone, Signal: signal,
	})
	return app
}

// bareApp answers with the same bytes and does nothing else.
func bareApp(b *testing.B) *fiber.App {
	b.Helper()
	page := pageOfEntries()
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Get("/api/events", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		return c.Send(page)
	})
	return app
}

// BenchmarkHot compares a search whose answer is cached with a bare handler: only the handlers, and
// over connections.
func BenchmarkHot(b *testing.B) {
	for _, encoding := range []string{"identity", "gzip", "zstd"} {
		app := hotApp(b, config{Origins: []string{"*"}, Compress: true})
		b.Run("handler/"+encoding, func(b *testing.B) { callHandler(b, app, encoding) })
		b.Run("connections/"+encoding, func(b *testing.B) { overConnections(b, app, encoding) })
	}
	bare := bareApp(b)
	b.Run("handler/bare", func(b *testing.B) { callHandler(b, bare, "identity") })
	b.Run("connections/bare", func(b *testing.B) { overConnections(b, bare, "identity") })
}

func callHandler(b *testing.B, app *fiber.App, encoding string) {
	handler := app.Handler()
	var request fasthttp.RequestCtx
	writer := bufio.NewWriterSize(io.Discard, answerBuffer)
	b.ReportAllocs()
	for b.Loop() {
		request.Request.Reset()
		request.Response.Reset()
		request.ResetUserValues()
		request.Request.Header.SetMethod(fiber.MethodGet)
		request.Request.SetRequestURI(hotSearch)
		request.Request.Header.Set(fiber.HeaderAcceptEncoding, encoding)
		handler(&request)
		if request.Response.StatusCode() != http.StatusOK {
			b.Fatalf("%d %s", request.Response.StatusCode(), request.Response.Body())
		}
		if err := request.Response.Write(writer); err != nil {
			b.Fatal(err)
		}
		_ = writer.Flush()
	}
}

// overConnections sends requests over 8 connections, with a client that does as little as it can.
func overConnections(b *testing.B, app *fiber.App, encoding string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- app.Server().Serve(listener) }()
	request := []byte("GET " + hotSearch + " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: " + encoding + "\r\n\r\n")
	b.SetParallelism(4)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			b.Error(err)
			return
		}
		defer conn.Close()
		buffer := make([]byte, 64<<10)
		for pb.Next() {
			if err := exchange(conn, request, buffer); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.StopTimer()
	_ = listener.Close()
	<-served
}

func exchange(conn net.Conn, request, buffer []byte) error {
	if _, err := conn.Write(request); err != nil {
		return err
	}
	got, want := 0, -1
	for want < 0 || got < want {
		n, err := conn.Read(buffer[got:])
		if err != nil {
			return err
		}
		got += n
		if want < 0 {
			head := bytes.Index(buffer[:got], []byte("\r\n\r\n"))
			if head < 0 {
				continue
			}
			var length int
			at := bytes.Index(buffer[:head], []byte("Content-Length: "))
			if _, err := fmt.Sscanf(string(buffer[at+16:at+26]), "%d", &length); err != nil {
				return err
			}
			want = head + 4 + length
		}
	}
	return nil
}
