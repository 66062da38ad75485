package apply

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/change"
	"litfass/pkg/index"
	"litfass/pkg/stream"
	"litfass/services/projector/internal/project"
)

func TestZZ(t *testing.T) {
	file := os.Getenv("ZZ")
	if file == "" {
		t.Skip()
	}
	ctx := t.Context()
	s, err := stream.Connect(ctx, stream.Config{URL: os.Getenv("TEST_NATS_URL"), Name: "ZZ" + fmt.Sprint(time.Now().UnixNano()), Replicas: 1}, slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Ensure(ctx); err != nil {
		t.Fatal(err)
	}
	idx := index.Connect(index.Config{URL: os.Getenv("TEST_MEILI_URL"), Key: os.Getenv("TEST_MEILI_KEY"), Prefix: "zz_"})
	if os.Getenv("ZZKEEP") == "" {
		if _, err := idx.Drop(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := idx.Ensure(ctx); err != nil {
		t.Fatal(err)
	}
	f, _ := os.Open(file)
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 10<<20)
	var changes []change.Change
	dates, bytes := 0, 0
	for sc.Scan() {
		c, err := change.Decode([]byte(string(sc.Bytes())))
		if err != nil {
			t.Fatal(err)
		}
		bytes += len(c.Snapshot)
		e, err := change.Read[change.Event](c)
		if err != nil {
			t.Fatal(err)
		}
		dates += len(e.Dates)
		changes = append(changes, c)
	}
	start := time.Now()
	if err := s.Publish(ctx, changes); err != nil {
		t.Fatal(err)
	}
	fmt.Println("published", len(changes), "dates", dates, "bytes", bytes, time.Since(start))
	last, _ := s.LastSequence(ctx)
	if v := os.Getenv("ZZBYTES"); v != "" {
		fmt.Sscan(v, &Limits.Bytes)
	}
	if v := os.Getenv("ZZMSGS"); v != "" {
		fmt.Sscan(v, &Limits.Messages)
	}
	c, err := s.Consumer(ctx, "x")
	if err != nil {
		t.Fatal(err)
	}
	a := New(s.Prefix(), idx, project.New("http://x"), s, NewMetrics(prometheus.NewRegistry()), slog.Default())
	fctx, cancel := context.WithCancel(ctx)
	cpu0 := cpu()
	start = time.Now()
	var peak uint64
	ch := make(chan uint64, 1000)
	go func() {
		err := a.Follow(fctx, c, &sync.Mutex{}, func(seq uint64) {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.Sys)
			select {
			case ch <- seq:
			default:
			}
		})
		if fctx.Err() == nil {
			fmt.Println("follow", err)
		}
	}()
	n := 0
	for seq := range ch {
		n++
		if seq >= last {
			break
		}
	}
	el := time.Since(start)
	fmt.Printf("engine cpu %.1f s\n", cpu()-cpu0)
	fmt.Printf("applied %d dates in %s = %.0f dates/s, %d batches, sys %d MB\n", dates, el, float64(dates)/el.Seconds(), n, peak>>20)
	// latency
	var lat, found []float64
	for i := range 100 {
		e, _ := change.Read[change.Event](changes[i*37])
		e.Title = fmt.Sprintf("Changed %d", i)
		cc, _ := change.New(change.KindEvent, e.UUID, 2, e)
		t0 := time.Now()
		if err := s.Publish(ctx, []change.Change{cc}); err != nil {
			t.Fatal(err)
		}
		seq := <-ch
		_ = seq
		lat = append(lat, time.Since(t0).Seconds()*1000)
		_ = json.Valid
		_ = found
		time.Sleep(5 * time.Millisecond)
	}
	sort.Float64s(lat)
	fmt.Printf("latency p50 %.0f p90 %.0f p99 %.0f max %.0f\n", lat[50], lat[90], lat[98], lat[99])
	cancel()
	_ = s.Close
}

func cpu() float64 {
	b, _ := os.ReadFile("/tmp/prj/meili/pid")
	d, _ := os.ReadFile("/proc/" + string(b[:len(b)-1]) + "/stat")
	var f [60]string
	n := 0
	for _, x := range strings.Fields(string(d)) {
		f[n] = x
		n++
	}
	var u, v float64
	fmt.Sscan(f[13], &u)
	fmt.Sscan(f[14], &v)
	return (u + v) / 100
}
