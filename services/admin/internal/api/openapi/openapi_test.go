package openapi

import (
	"testing"

	"litfass/pkg/chassis/apidocs/apidocstest"
)

func TestTheDescriptionIsValid(t *testing.T) { apidocstest.CheckDocument(t, JSON()) }

func TestEveryAnswerDescribesItsHeaders(t *testing.T) {
	apidocstest.CheckHeaders(t, JSON(), func(method, status string) []string {
		names := []string{"RateLimit", "RateLimit-Policy"}
		if method != "get" && status[0] == '2' {
			names = append(names, "Litfass-Position")
		}
		return names
	})
}
