package lookup

import (
	"net/url"
	"strconv"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
)

const (
	// placesAtOnce is how many places one request asks for, and mostPlaces how many a list has.
	placesAtOnce = 200
	mostPlaces   = 1000
)

// Places reads the venues and spaces where the person may place events, by venue. The errors are
// those of Request.Get.
func Places(r *page.Request) (all []adminapi.ChoosablePlace, err error) {
	for len(all) < mostPlaces {
		var some adminapi.ChoosablePlaces
		query := url.Values{"limit": {strconv.Itoa(placesAtOnce)}, "offset": {strconv.Itoa(len(all))}}
		if _, err := r.Get("/api/admin/user/choosable-event-places", query, &some); err != nil {
			return nil, err
		}
		all = append(all, some.Places...)
		if len(some.Places) == 0 || len(all) >= some.TotalCount {
			break
		}
	}
	return all, nil
}
