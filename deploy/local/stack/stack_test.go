package stack

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"litfass/deploy/local/engine"
	"litfass/pkg/chassis/index"
)

func TestPorts(t *testing.T) {
	got, err := PortsFrom(8080)
	want := Ports{Gateway: 8080, Admin: 8081, Query: 8082, Projector: 8083, Site: 8084, Console: 8089, Postgres: 8085, NATS: 8086, Meili: 8087, NATSMonitor: 8088}
	if err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, base := range []int{-1, 0, 65527, 70000} {
		if _, err := PortsFrom(base); err == nil {
			t.Errorf("%d is accepted", base)
		}
	}
}

func TestPortsOfFurtherInstances(t *testing.T) {
	base, err := PortsFrom(8080)
	if err != nil {
		t.Fatal(err)
	}
	all, err := portsOf(base, 3)
	if err != nil || len(all) != 3 || all[0] != base || all[1].Query != 8092 || all[2].Meili != 8107 {
		t.Errorf("got %+v, %v", all, err)
	}
	if _, err := portsOf(Ports{Gateway: 65520}, 2); err == nil {
		t.Error("there are ports above the last")
	}
	free, err := portsOf(Ports{}, 3)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, p := range free {
		for _, port := range []int{p.Admin, p.Query, p.Projector, p.Meili} {
			if port == 0 || seen[port] {
				t.Errorf("port %d is used twice in %+v", port, free)
			}
			seen[port] = true
		}
	}
}

// TestEachReadNodeHasItsOwn: the first keeps the names and ports of a stack with one.
func TestEachReadNodeHasItsOwn(t *testing.T) {
	ports, err := PortsFrom(18080)
	if err != nil {
		t.Fatal(err)
	}
	s := &Stack{options: Options{Data: t.TempDir(), Ports: ports, ReadNodes: 2}, closing: make(chan struct{})}
	if err := s.settle(); err != nil {
		t.Fatal(err)
	}
	s.instances[1].at.readKey = "the other key"
	for name, want := range map[string]string{Query: "http://127.0.0.1:18082", "query-2": "http://127.0.0.1:18092"} {
		if got := s.ServiceURL(name); got != want {
			t.Errorf("%s is at %s", name, got)
		}
	}
	first := strings.Join(s.Command(t.Context(), Query).Env, "\n")
	second := strings.Join(s.Command(t.Context(), "query-2").Env, "\n")
	for _, want := range []string{"LISTEN=127.0.0.1:18092", "READ_NODE=node-2", "MEILI_URL=http://127.0.0.1:18097", "MEILI_KEY=the other key", "STOP_DELAY="} {
		if !strings.Contains(second, "\n"+want) {
			t.Errorf("the second query service is started without %s", want)
		}
	}
	if !strings.Contains(first, "\nMEILI_URL=http://127.0.0.1:18087\n") || strings.Contains(first, "READ_NODE=") {
		t.Error("the first query service is another one than without further read nodes")
	}
	for name, want := range map[string]bool{"query-2": true, "projector": true, "meilisearch-2": true, "admin": false, "nats": false, "query-3": false} {
		if got := s.replaceable(name); got != want {
			t.Errorf("%s is replaceable: %v", name, got)
		}
	}
}

func TestFurtherReadNodesNeedTheirOwnEngine(t *testing.T) {
	t.Setenv("MEILI_URL", "http://127.0.0.1:1")
	t.Setenv("MEILI_KEY", "x")
	s, err := New(t.Context(), Options{External: true, Engines: engine.All, ReadNodes: 2})
	if err == nil {
		s.Close()
		t.Fatal("accepted")
	}
	if !strings.Contains(err.Error(), "READ_NODES") {
		t.Error(err)
	}
}

func TestTakenPortsAreNamed(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	taken := listener.Addr().(*net.TCPAddr).Port
	free, err := FreePorts()
	if err != nil {
		t.Fatal(err)
	}
	if err := checkFree([]portUse{{free.Admin, "admin"}, {free.Query, "query"}}); err != nil {
		t.Error(err)
	}
	err = checkFree([]portUse{{free.Admin, "admin"}, {taken, "NATS"}})
	if err == nil || !strings.Contains(err.Error(), "for NATS is taken") || strings.Contains(err.Error(), "admin") {
		t.Errorf("got %v", err)
	}
}

func TestOneLauncherAtATime(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	if Holder(data) != 0 {
		t.Error("a folder that does not exist is held")
	}
	lock, err := TakeLock(data)
	if err != nil {
		t.Fatal(err)
	}
	if got := Holder(data); got != os.Getpid() {
		t.Errorf("held by %d, want %d", got, os.Getpid())
	}
	if _, err := TakeLock(data); !errors.Is(err, ErrLocked) {
		t.Errorf("a second lock: %v", err)
	}
	lock.Release() // like the kernel for a process that crashed: the file remains
	if Holder(data) != 0 {
		t.Error("held after its release")
	}
	if lock, err = TakeLock(data); err != nil {
		t.Fatal(err)
	}
	lock.Release()
}

// TestTheLockIsRemovedLast: while data remain, no other launcher may take a new lock.
func TestTheLockIsRemovedLast(t *testing.T) {
	data := t.TempDir()
	lock, err := TakeLock(data)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	cannotBeRemoved := engine.Home{Dir: "\x00"}
	if err := (&Stack{options: Options{Data: data}, home: cannotBeRemoved}).Remove(); err == nil {
		t.Fatal("the data of PostgreSQL were removed")
	}
	if _, err := TakeLock(data); !errors.Is(err, ErrLocked) {
		t.Errorf("a second lock: %v", err)
	}
	removed := &Stack{options: Options{Data: data}, home: engine.Home{Dir: t.TempDir()}}
	if err := removed.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(data); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder stays: %v", err)
	}
}

func TestSecretsStay(t *testing.T) {
	data := t.TempDir()
	first, err := loadSecrets(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.PostgresPassword) < 16 || len(first.MeiliMasterKey) < 16 || first.PostgresPassword == first.MeiliMasterKey {
		t.Errorf("weak secrets %+v", first)
	}
	second, err := loadSecrets(data)
	if err != nil || !reflect.DeepEqual(second, first) {
		t.Errorf("a second time: %+v, %v", second, err)
	}
	info, err := os.Stat(filepath.Join(data, "secrets.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// engines starts a stack without services.
func engines(t *testing.T) *Stack {
	t.Helper()
	s, err := New(t.Context(), Options{Engines: engine.All, Scratch: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(s.options.Data); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s was left behind", s.options.Data)
		}
	})
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEnginesStopAndStartAgain(t *testing.T) {
	s := engines(t)
	query(t, s, `CREATE TABLE kept AS SELECT 7 AS n`)
	for _, name := range []string{NATS, Meili, Postgres} {
		process := s.Process(name)
		if err := process.Stop(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := process.Start(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := query(t, s, `SELECT n FROM kept`); got != 7 {
		t.Errorf("kept %d", got)
	}
	select {
	case failure := <-s.Failed():
		t.Errorf("what was asked for counts as a failure: %v", failure)
	default:
	}
}

// query runs a statement and returns its result, or 0 without one.
func query(t *testing.T, s *Stack, statement string) (number int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	err = conn.QueryRow(t.Context(), statement).Scan(&number)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		t.Fatal(err)
	}
	return number
}

func TestAnEngineThatDiesIsReported(t *testing.T) {
	for _, name := range []string{Postgres, NATS, Meili} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := engines(t)
			process := s.Process(name)
			if err := syscall.Kill(process.PID(), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			if failure := <-s.Failed(); !strings.HasPrefix(failure.Error(), process.Name+" stopped: ") {
				t.Errorf("reported %q", failure)
			}
		})
	}
}

func TestExternalNeedsAKey(t *testing.T) {
	t.Setenv("MEILI_URL", "http://127.0.0.1:1")
	t.Setenv("MEILI_KEY", "")
	s, err := New(t.Context(), Options{External: true, Engines: engine.All})
	if err == nil {
		s.Close()
		t.Fatal("accepted")
	}
	if !strings.Contains(err.Error(), "MEILI_KEY") {
		t.Error(err)
	}
}

func TestRoom(t *testing.T) {
	folder := t.TempDir()
	if err := checkRoom(folder, 1); err != nil {
		t.Error(err)
	}
	if err := checkRoom(folder, 1<<62); err == nil || !strings.Contains(err.Error(), folder) {
		t.Errorf("with too little room: %v", err)
	}
	if err := checkRoom(filepath.Join(folder, "absent"), 1); err == nil {
		t.Error("a folder that is not there has room")
	}
}

// TestReadKeyOfTheSecrets: compose/secrets.sh derives the read key from the master key and a fixed
// name; it must equal the projector's key.
func TestReadKeyOfTheSecrets(t *testing.T) {
	script, err := os.ReadFile("../../compose/secrets.sh")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(script), "\nread_key_name=")
	name, _, _ := strings.Cut(rest, "\n")
	if !found {
		t.Fatal("the script names no key")
	}
	s := engines(t)
	hash := hmac.New(sha256.New, []byte(s.MeiliKey()))
	hash.Write([]byte(name))
	want, err := index.Connect(index.Config{URL: s.MeiliURL(), Key: s.MeiliKey()}).ReadKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != want {
		t.Errorf("the script's key is %s, the projector's %s", got, want)
	}
}
