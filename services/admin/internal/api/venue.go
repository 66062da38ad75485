package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/services/admin/internal/editing"
)

// similarVenues answers with the venues that may be the one that a member is about to add.
func (r Catalogue) similarVenues(c *fiber.Ctx) error {
	p := parametersOf(c)
	place := editing.Place{Name: p.required("name"), Lat: p.degrees("lat", 90), Lon: p.degrees("lon", 180)}
	if c.Query("except") != "" {
		place.Except = p.queryUUID("except")
	}
	if err := p.err(); err != nil {
		return err
	}
	venues, err := r.Editor.SimilarVenues(c.UserContext(), place)
	if err != nil {
		return err
	}
	return c.JSON(struct {
		Venues []editing.SimilarVenue `json:"venues"`
	}{venues})
}
