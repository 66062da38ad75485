package lookup

import (
	"strconv"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/client"
)

// maxPlaces is how many places a list has at most.
const maxPlaces = 1000

// Places reads the venues and spaces where the person may place events, by venue. It returns the
// errors of client.Admin.
func Places(admin client.Admin) (all []adminapi.ChoosablePlace, err error) {
	for len(all) < maxPlaces {
		query := client.All()
		query.Set("offset", strconv.Itoa(len(all)))
		some, err := admin.ChoosablePlaces(query)
		if err != nil {
			return nil, err
		}
		all = append(all, some.Places...)
		if len(some.Places) == 0 || len(all) >= some.TotalCount {
			break
		}
	}
	return all, nil
}
