package view

import (
	"strings"
	"testing"

	"litfass/pkg/ui"
)

func TestThePolicyAllowsTiles(t *testing.T) {
	const origin = "https://tiles.example"
	with, without := Brand{Tiles: ui.Tiles{URL: origin + "/{z}/{x}/{y}.png"}}, Brand{}
	if policy := with.Policy(); !strings.Contains(policy, "img-src 'self' data: "+origin+" blob:;") {
		t.Error(policy)
	}
	if policy := without.Policy(); strings.Contains(policy, "https:") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Error(policy)
	}
}
