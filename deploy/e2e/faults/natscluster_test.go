//go:build drill

package faults

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/engine"
	"litfass/deploy/local/proc"
	"litfass/deploy/local/stack"
)

// natsCluster is three NATS servers that keep the stream together.
type natsCluster struct {
	servers map[string]*proc.Process // by server name
	urls    []string
}

const natsClusterConfig = `server_name: %s
listen: "127.0.0.1:%d"
max_payload: 8MB
cluster { name: litfass, listen: "127.0.0.1:%d", routes: [%s] }
jetstream { store_dir: %q }
`

// startNATSCluster starts three servers, which are killed when the test ends.
func startNATSCluster(t *testing.T) *natsCluster {
	t.Helper()
	binary := os.Getenv("TEST_NATS_SERVER")
	if binary == "" {
		t.Fatal("TEST_NATS_SERVER is not set")
	}
	ports := freePorts(t, 6)
	routes := make([]string, 3)
	for i, port := range ports[3:] {
		routes[i] = fmt.Sprintf("nats://127.0.0.1:%d", port)
	}
	c := &natsCluster{servers: map[string]*proc.Process{}}
	dir := t.TempDir()
	var starting errgroup.Group
	for i := range 3 {
		name := fmt.Sprintf("nats-%d", i)
		config := filepath.Join(dir, name+".conf")
		content := fmt.Sprintf(natsClusterConfig, name, ports[i], ports[3+i], strings.Join(routes, ", "), filepath.Join(dir, name))
		if err := os.WriteFile(config, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		url := fmt.Sprintf("nats://127.0.0.1:%d", ports[i])
		server := proc.New(proc.Spec{
			Name: name, Command: []string{binary, "-c", config}, LogFile: filepath.Join(dir, name+".log"),
			Ready: func(ctx context.Context) error { return engine.PingNATS(ctx, url) }, // answers once the cluster has a leader
		})
		c.servers[name], c.urls = server, append(c.urls, url)
		t.Cleanup(func() { _ = server.Kill() })
		starting.Go(func() error { return server.Start(t.Context()) })
	}
	if err := starting.Wait(); err != nil {
		t.Fatal(err)
	}
	return c
}

// freePorts returns ports that are free now.
func freePorts(t *testing.T, count int) (ports []int) {
	t.Helper()
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close() // only when all are found, so that no two are equal
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// info returns what the cluster says of the stream.
func (c *natsCluster) info(ctx context.Context) (*jetstream.StreamInfo, error) {
	conn, err := nats.Connect(strings.Join(c.urls, ","))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	stream, err := js.Stream(ctx, "CATALOG")
	if err != nil {
		return nil, err
	}
	return stream.CachedInfo(), nil
}

// whole returns an error unless three servers have all of the stream.
func (c *natsCluster) whole(ctx context.Context) error {
	info, err := c.info(ctx)
	if err != nil {
		return err
	}
	behind := func(replica *jetstream.PeerInfo) bool { return !replica.Current || replica.Offline }
	if info.Cluster == nil || len(info.Cluster.Replicas) != 2 || slices.ContainsFunc(info.Cluster.Replicas, behind) {
		return fmt.Errorf("the stream is on %+v", info.Cluster)
	}
	return nil
}

// TestStreamSurvivesTheLossOfAServer kills under load the NATS server that leads the stream: no
// write and no read fails, and nothing is lost. Just electing another leader takes up to ten
// seconds, so it runs with the tag drill only; see deploy/docs/scaling.md.
func TestStreamSurvivesTheLossOfAServer(t *testing.T) {
	cluster := startNATSCluster(t)
	t.Setenv("NATS_URL", strings.Join(cluster.urls, ","))
	s := &harness.System{Stack: harness.RunRaced(t, stack.Options{
		External: true, ReadNodes: 2, Admins: 2, Env: []string{"STREAM_REPLICAS=3", "RATE_LIMITS=off"},
	})}
	s.Client = client.New(s.URL(), 32)
	o := s.Organizer(t)
	s.ImportCatalogue(t, houses(4))
	s.AwaitReady(t)
	harness.Await(t, "the stream is on three servers", func() error { return cluster.whole(t.Context()) })
	end := underLoad(s, t, o)
	info, err := cluster.info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	victim := cluster.servers[info.Cluster.Leader]
	if err := victim.Kill(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	flows(s, t, o, "without "+victim.Name)
	t.Logf("changes arrive again after %s", time.Since(began).Round(100*time.Millisecond))
	end()
	if err := victim.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.AwaitReady(t)
	ready(s, t, "query-2")
	s.Verify(t)
	s.MustRun(t, "projector-2", "verify")
}

// flows waits until a write that begins now can be read.
func flows(s *harness.System, t *testing.T, o harness.Organizer, name string) {
	t.Helper()
	position, err := o.Rename(t.Context(), house(1, 0), name)
	if err != nil {
		t.Fatal(err)
	}
	harness.Await(t, "what is written "+name, func() error {
		answer, err := at(t.Context(), s.Client, house(1, 0), position)
		if err != nil {
			return err
		}
		shown, err := client.Data[client.Entry](answer, "get-organization")
		if err == nil && shown.Text("name") != name {
			err = errors.New("shows " + shown.Text("name"))
		}
		return err
	})
}
