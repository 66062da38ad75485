package openapi

import (
	"slices"
	"testing"

	"litfass/pkg/chassis/apidocs/apidocstest"
)

func TestTheDescriptionIsValid(t *testing.T) { apidocstest.CheckDocument(t, JSON()) }

func TestEveryAnswerDescribesItsHeaders(t *testing.T) {
	apidocstest.CheckHeaders(t, JSON(), func(_, status string) []string {
		names := []string{"RateLimit", "RateLimit-Policy"}
		if slices.Contains([]string{"200", "202", "304", "404", "409"}, status) {
			names = append(names, "Litfass-Position", "Server-Timing")
		}
		return names
	})
}
