package openapi

import (
	"testing"

	"litfass/pkg/chassis/apidocs/apidocstest"
)

func TestTheDescriptionIsValid(t *testing.T) { apidocstest.CheckDocument(t, JSON()) }
