package stream_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
)

func TestAskAndAnswer(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	here, there := streamtest.Open(t, config), streamtest.Open(t, config)
	never := func([]byte) (bool, error) { return false, errors.New("heard something") }
	if err := there.Ask(t.Context(), "time", nil, never); !errors.Is(err, stream.ErrNoResponder) {
		t.Errorf("without a responder: %v", err)
	}
	stop, err := here.Answer("time", func(request []byte, say func([]byte)) {
		for _, line := range []string{"a", string(request), "c"} {
			say([]byte(line))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	heard := ""
	err = there.Ask(t.Context(), "time", []byte("of day"), func(line []byte) (bool, error) {
		heard += string(line)
		return heard == "aof day", nil
	})
	if err != nil || heard != "aof day" {
		t.Errorf("heard %q: %v", heard, err)
	}
	stop()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, err = here.Answer("mute", func([]byte, func([]byte)) { cancel() }); err != nil {
		t.Fatal(err)
	}
	if err := there.Ask(ctx, "mute", nil, never); !errors.Is(err, context.Canceled) {
		t.Errorf("nothing said: %v", err)
	}
}

// Each request reaches exactly one of the processes that answer to its name.
func TestOneOfSeveralAnswers(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	asking := streamtest.Open(t, config)
	var handled atomic.Int64
	for range 3 {
		_, err := streamtest.Open(t, config).Answer("count", func(_ []byte, say func([]byte)) {
			handled.Add(1)
			say([]byte("done"))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	const asked = 50
	for range asked {
		err := asking.Ask(t.Context(), "count", nil, func([]byte) (bool, error) { return true, nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := handled.Load(); got != asked {
		t.Errorf("%d requests were handled %d times", asked, got)
	}
}
