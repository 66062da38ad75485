package main

import (
	"strings"
	"testing"

	"litfass/services/projector/internal/node"
)

func TestHoursOfCompaction(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]node.Hours{"2-5": {From: 2, Before: 5}, "22-24": {From: 22, Before: 24}, "23-4": {From: 23, Before: 4}} {
		var got hours
		if err := got.UnmarshalText([]byte(text)); err != nil || node.Hours(got) != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "2", "2-", "-2-5", "2-25", "24-3", "a-b", "2-5-7"} {
		if err := new(hours).UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "two hours of a day") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
