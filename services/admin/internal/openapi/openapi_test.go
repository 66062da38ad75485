package openapi

import (
	"testing"

	"litfass/pkg/apidocs/apidocstest"
)

func TestTheDescriptionIsValid(t *testing.T) { apidocstest.CheckDocument(t, JSON()) }
