package page

import (
	"context"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/view"
)

// organization is the page of an organization with its venues and its next events.
func (d Deps) organization(ctx context.Context, api *client.Reads, r *Request) (view.Page, error) {
	var shown view.OrganizationPage
	if err := entity(ctx, api, r, "organization", organizationGone, &shown.Organization); err != nil {
		return view.Page{}, err
	}
	reads, reading := errgroup.WithContext(ctx)
	lookUp(reading, reads, api, r.Text.Code, &shown.Names, needs{legalForms: shown.LegalForm != ""})
	reads.Go(func() (err error) {
		shown.Holding, err = holding(reading, api, string(shown.HoldingOrgUUID))
		return err
	})
	reads.Go(func() error {
		return api.List(reading, "/api/choosable-venues/organization/"+shown.UUID, nil, &shown.Venues)
	})
	reads.Go(func() (err error) {
		shown.Upcoming, err = upcoming(reading, api, "org_uuids", shown.UUID, nextEvents)
		return err
	})
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	return view.OrganizationOf(d.shown(r), shown), nil
}

// holding reads the organization that another one belongs to, nil when there is none.
func holding(ctx context.Context, api *client.Reads, uuid string) (*publicapi.Organization, error) {
	if uuid == "" {
		return nil, nil
	}
	var found publicapi.Organization
	err := api.Data(ctx, "/api/organization/"+uuid, nil, &found)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	return &found, err
}
