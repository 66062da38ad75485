package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"litfass/services/console/internal/page"
)

// TestRoutes compares the routes of the console with their list, by which the test of the whole
// stack knows that it tries every page and every form as every role.
func TestRoutes(t *testing.T) {
	content, err := os.ReadFile("testdata/routes.txt")
	if err != nil {
		t.Fatal(err)
	}
	listed, mounted := strings.Split(strings.TrimSpace(string(content)), "\n"), routes()
	for _, route := range mounted {
		if !slices.Contains(listed, route) {
			t.Errorf("testdata/routes.txt lacks %s", route)
		}
	}
	for _, route := range listed {
		if !slices.Contains(mounted, route) {
			t.Errorf("testdata/routes.txt has %s, which the console does not answer", route)
		}
	}
	if !t.Failed() && !slices.Equal(listed, mounted) {
		t.Errorf("the routes come in the order\n%s", strings.Join(mounted, "\n"))
	}
}

// routes returns the routes of all pages in the order in which they are tried.
func routes() (all []string) {
	app := fiber.New()
	mount(page.NewRouter(app, page.Deps{}))
	for _, method := range []string{fiber.MethodGet, fiber.MethodPost} {
		for _, route := range app.GetRoutes(true) {
			if route.Method == method {
				all = append(all, method+" "+strings.TrimPrefix(route.Path, page.Root))
			}
		}
	}
	return all
}
