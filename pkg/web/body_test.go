package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/web"
)

func TestReadJSON(t *testing.T) {
	type thing struct {
		Name string `json:"name"`
		Seat struct {
			Row int `json:"row"`
		} `json:"seat"`
	}
	s := start(t, web.Options{}, func(app *fiber.App) {
		app.Post("/", func(c *fiber.Ctx) error {
			got, err := web.ReadJSON[thing](c)
			if err != nil {
				return err
			}
			return c.SendString(fmt.Sprint(got.Name, got.Seat.Row))
		})
	})
	for _, test := range []struct {
		kind, body string
		status     int
		want       string
	}{
		{"application/json; charset=utf-8", `{"name":"a","seat":{"row":3}}`, 200, "a3"},
		{"text/plain", `{}`, 415, ""},
		{"", `{}`, 415, ""},
		{"application/json", ``, 400, ""},
		{"application/json", `{"name":`, 400, ""},
		{"application/json", `{} {}`, 400, ""},
		{"application/json", "{\"name\":\"\xff\"}", 400, ""},
		{"application/json", `{"seat":{"row":"x"}}`, 400, "seat.row"},
		{"application/json", `{"nmae":"x"}`, 400, "nmae"},
		{"application/json", `[]`, 400, ""},
	} {
		got := s.do(t, "POST", "/", strings.NewReader(test.body), "Content-Type", test.kind)
		if got.StatusCode != test.status || !strings.Contains(got.body, test.want) {
			t.Errorf("%s %q: got %d %s, want %d %q", test.kind, test.body, got.StatusCode, got.body, test.status, test.want)
		}
	}
}
