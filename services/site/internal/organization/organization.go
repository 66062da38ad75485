// Package organization is the page of an organization.
package organization

import (
	"context"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

// gone is the code of an organization that is not there.
const gone = "organization_gone"

// Mount adds the page of an organization.
func Mount(r page.Router) { r.Page("/organization/:uuid", show) }

// show answers the page of an organization with its venues and its next events.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	var data organizationData
	if err := detail.Read(ctx, api, r, "organization", gone, &data.Organization); err != nil {
		return view.Page{}, err
	}
	reads, reading := errgroup.WithContext(ctx)
	detail.LookUp(reading, reads, api, r.Text.Code, &data.Names, detail.Needs{LegalForms: data.LegalForm != ""})
	reads.Go(func() (err error) {
		data.Holding, err = holding(reading, api, string(data.HoldingOrgUUID))
		return err
	})
	reads.Go(func() error {
		return api.List(reading, "/api/choosable-venues/organization/"+data.UUID, nil, &data.Venues)
	})
	reads.Go(func() (err error) {
		data.Upcoming, err = detail.ReadUpcoming(reading, api, "org_uuids", data.UUID)
		return err
	})
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	s, err := detail.Scope(ctx, api, r, data.Upcoming)
	return pageOf(s, data), err
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
