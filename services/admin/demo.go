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

// Run saves the demo catalogue. Saved again on the same day it changes nothing.
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
	catalogue, err := withPictures(ctx, demo.Generate(day))
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

// withPictures stores the pictures of the catalogue, first, as any image is before its row. Without
// a place for them it returns the catalogue without its images.
func withPictures(ctx context.Context, catalogue demo.Catalogue) (demo.Catalogue, error) {
	blobs, err := app.OpenPictures(ctx)
	if err != nil {
		return catalogue, err
	}
	if blobs == nil {
		return catalogue.WithoutPictures(), nil
	}
	defer blobs.Close()
	return catalogue, catalogue.StorePictures(ctx, blobs)
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
