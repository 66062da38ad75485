package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"litfass/services/admin/internal/app"
	"litfass/services/admin/internal/app/demo"
	"litfass/services/admin/internal/catalogue/catalogfile"
	"litfass/services/admin/internal/catalogue/editing"
)

type demoCommand struct {
	Day string `help:"The day to make the catalogue around, YYYY-MM-DD. Default: today." placeholder:"DAY"`
}

// Run saves the demo catalogue. Running it again on the same day changes nothing.
func (c demoCommand) Run(ctx context.Context) error {
	db, err := app.OpenDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	day, err := c.day()
	if err != nil {
		return err
	}
	catalogue, err := withImages(ctx, demo.Generate(day))
	if err != nil {
		return err
	}
	entities := catalogue.Entities()
	bar := newProgress(os.Stderr, "filling in", int64(len(entities)))
	counts, err := catalogfile.Save(ctx, editing.NewOperator(db), entities, bar.add)
	bar.finish()
	if err != nil {
		return err
	}
	return counts.Write(os.Stdout)
}

// withImages stores the images of the catalogue, before their rows. Without a store it returns the
// catalogue without images.
func withImages(ctx context.Context, catalogue demo.Catalogue) (demo.Catalogue, error) {
	blobs, err := app.OpenImages(ctx)
	if err != nil {
		return catalogue, err
	}
	if blobs == nil {
		return catalogue.WithoutImages(), nil
	}
	defer blobs.Close()
	return catalogue, catalogue.StoreImages(ctx, blobs)
}

// day returns the day of the flag, or today in the time zone of the service.
func (c demoCommand) day() (time.Time, error) {
	if c.Day != "" {
		day, err := time.Parse(time.DateOnly, c.Day)
		if err != nil {
			return day, fmt.Errorf("--day %q is not a date YYYY-MM-DD", c.Day)
		}
		return day, nil
	}
	zone, err := app.Zone()
	if err != nil {
		return time.Time{}, err
	}
	return time.Now().In(zone), nil
}
