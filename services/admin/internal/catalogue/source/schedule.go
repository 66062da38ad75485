package source

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/remote"
)

// lookEvery is how often a process looks for due sources.
const lookEvery = 15 * time.Second

// Run reads the sources that are due until ctx ends, several at once: none waits for a slow one. It
// returns nil: a failure is logged, and the source tried again.
func (s *Service) Run(ctx context.Context) error {
	var group sync.WaitGroup
	for range s.Config.Readings {
		group.Go(func() { s.keepReading(ctx) })
	}
	group.Wait()
	return nil
}

// keepReading reads one due source after the other until ctx ends.
func (s *Service) keepReading(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.readAll(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("reading sources failed", "again_in", tryAgain.String(), "error", err.Error())
		}
		select {
		case <-ctx.Done():
		case <-time.After(lookEvery):
		}
	}
}

// ReadDue reads the sources that are due, several at once, and returns when none is left that no
// process reads. The error is a failure of this service or its engines.
func (s *Service) ReadDue(ctx context.Context) error {
	var group sync.WaitGroup
	errs := make([]error, s.Config.Readings)
	for i := range errs {
		group.Go(func() { errs[i] = s.readAll(ctx) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// readAll reads one due source after the other.
func (s *Service) readAll(ctx context.Context) (failures error) {
	for ctx.Err() == nil {
		c, some, err := s.claim(ctx, due)
		if err != nil || !some {
			return errors.Join(failures, err)
		}
		failures = errors.Join(failures, s.read(ctx, c, wish{}))
	}
	return failures
}

// asking limits how often members have sources read.
var asking = auth.Limit{Action: "source_reading", Max: 60, Window: time.Hour}

// Read reads a source now and returns it. The faults are those of List, NotFound; Forbidden without
// ReleaseEvent for missing events; Conflict with the code source_busy while a source of the
// organization is read; TooMany.
func (s *Service) Read(ctx context.Context, org, id string, asked adminapi.SourceReading) (shown adminapi.ShownSource, err error) {
	need := managing
	if asked.Missing {
		need |= permission.ReleaseEvent
	}
	err = s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, need); err != nil {
			return err
		}
		_, err := readOne(ctx, tx, selectSource, org, id)
		return err
	})
	if err != nil {
		return shown, err
	}
	if err := s.Limiter.CountAll(ctx, auth.AccountLimit{Limit: asking, Account: org}); err != nil {
		return shown, err
	}
	c, free, err := s.claim(ctx, named, id, org)
	switch {
	case err != nil:
		return shown, err
	case !free:
		return shown, fault.New(fault.Conflict, "source_busy", "a source of the organization is being read; try again in a moment")
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		return s.audit(ctx, tx, "read", org, id, nil, map[string]any{"missing": asked.Missing})
	})
	if err != nil {
		return shown, errors.Join(err, s.release(context.WithoutCancel(ctx), c))
	}
	if err := s.read(ctx, c, wish{whole: true, missing: asked.Missing}); err != nil {
		return shown, err
	}
	shown, _, err = s.Show(ctx, org, id)
	return shown, err
}

// Preview reads the file of a source that may not be stored yet, and returns the effects of its
// first reading. The faults are those of Create without Conflict, and those of the address and its
// file; TooMany.
func (s *Service) Preview(ctx context.Context, org string, body adminapi.SourceBody, refused error) (adminapi.ImportReport, error) {
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) (err error) {
		if err := access.RequireLogin(auth.PrincipalOf(ctx)); err != nil {
			return err
		}
		if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, managing); err != nil {
			return err
		}
		body, err = checked(ctx, tx, org, body, refused)
		return err
	})
	if err != nil {
		return adminapi.ImportReport{}, err
	}
	if err := s.Limiter.CountAll(ctx, auth.AccountLimit{Limit: asking, Account: org}); err != nil {
		return adminapi.ImportReport{}, err
	}
	reading := s.reading(body, string(body.Address))
	if body.Format == adminapi.ImportLitfass {
		if reading.Events, err = s.previewFeed(ctx, org, body.Address); err != nil {
			return adminapi.ImportReport{}, err
		}
	} else {
		answer, err := s.fetch(ctx, org, body.Address, remote.Validators{})
		if err != nil {
			return adminapi.ImportReport{}, err
		}
		reading.Data = answer.Data
		if reading.Pages, err = s.follow(ctx, org, body, answer); err != nil {
			return adminapi.ImportReport{}, err
		}
	}
	reading.Hold = holder{s, org, string(body.Address), "", time.Time{}}.hold
	report, _, err := s.Imports.ImportReading(ctx, org, reading)
	return report, err
}
