package main

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"litfass/deploy/local/stack"
)

// launcherVariable makes the test program the launcher.
const launcherVariable = "LOCAL_TEST_LAUNCHER"

func TestMain(m *testing.M) {
	if os.Getenv(launcherVariable) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestKeptEngines: the engines of engines-up answer, also after their process was killed, and leave
// nothing behind.
func TestKeptEngines(t *testing.T) {
	t.Setenv(launcherVariable, "1")
	root, err := stack.FindRoot()
	if err != nil {
		t.Fatal(err)
	}
	env := &environment{root: root, data: t.TempDir()}
	down := func() {
		if err := (enginesDownCommand{}).Run(context.Background(), env); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(down)

	up(t, env)
	down()
	awaitNoKept(t, env)
	up(t, env)
	killKept(t, env)
	up(t, env)
	killKept(t, env)
	if err := (cleanCommand{}).Run(env); err != nil {
		t.Error(err)
	}
	awaitNoKept(t, env)
	interruptedContext, interrupt := context.WithCancel(t.Context())
	interrupt()
	var code exitError
	if err := (enginesUpCommand{}).Run(interruptedContext, env); !errors.As(err, &code) {
		t.Errorf("interrupted: %v", err)
	}
	awaitNoKept(t, env)
}

// TestCleanKeepsEnginesInUse: make clean refuses while the engines for tests are up.
func TestCleanKeepsEnginesInUse(t *testing.T) {
	env := &environment{data: t.TempDir()}
	lock, err := env.lockKept()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if err := (cleanCommand{}).Run(env); err == nil || !strings.Contains(err.Error(), "make engines-down") {
		t.Errorf("got %v", err)
	}
}

// TestNoVariablesOfKilledEngines: while engines start, the variables of killed ones are gone.
func TestNoVariablesOfKilledEngines(t *testing.T) {
	env := &environment{data: t.TempDir()}
	if err := os.MkdirAll(env.keptFolder(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(env.keptFile(), []byte(`["TEST_NATS_URL=nats://127.0.0.1:1"]`), 0o600); err != nil {
		t.Fatal(err)
	}
	lock, err := env.lockKept()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if variables := env.kept(); variables != nil {
		t.Errorf("got %q", variables)
	}
}

// up starts the kept engines, and reaches one.
func up(t *testing.T, env *environment) {
	t.Helper()
	if err := (enginesUpCommand{}).Run(t.Context(), env); err != nil {
		t.Fatal(err)
	}
	variables := env.kept()
	at := slices.IndexFunc(variables, func(variable string) bool { return strings.HasPrefix(variable, "TEST_NATS_URL=") })
	if at < 0 {
		t.Fatalf("no address of NATS in %q", variables)
	}
	address, err := url.Parse(strings.TrimPrefix(variables[at], "TEST_NATS_URL="))
	if err != nil {
		t.Fatal(err)
	}
	connection, err := net.Dial("tcp", address.Host)
	if err != nil {
		t.Fatal(err)
	}
	connection.Close()
}

// killKept kills the process of the kept engines.
func killKept(t *testing.T, env *environment) {
	t.Helper()
	if err := syscall.Kill(stack.Holder(env.keptFolder()), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := waitUntilFree(t.Context(), env.keptFolder()); err != nil {
		t.Fatal(err)
	}
}

// awaitNoKept waits until the folder of the kept engines is gone: its lock is removed right before.
func awaitNoKept(t *testing.T, env *environment) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		found, err := os.ReadDir(env.keptFolder())
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("left behind: %v, %v", found, err)
		}
	}
}
