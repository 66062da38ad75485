package change

import (
	"reflect"

	"litfass/pkg/contracts/value"
)

// snapshotTypes are the types of the snapshots by kind.
var snapshotTypes = map[Kind]reflect.Type{
	KindLookup:       reflect.TypeFor[Lookup](),
	KindRegion:       reflect.TypeFor[Region](),
	KindOrganization: reflect.TypeFor[Organization](),
	KindVenue:        reflect.TypeFor[Venue](),
	KindPortal:       reflect.TypeFor[Portal](),
	KindList:         reflect.TypeFor[List](),
	KindSeries:       reflect.TypeFor[Series](),
	KindContributor:  reflect.TypeFor[Contributor](),
	KindEvent:        reflect.TypeFor[Event](),
}

// Shape describes the JSON of the snapshots of a kind (see value.Shape).
func Shape(kind Kind) string { return value.Shape(snapshotTypes[kind]) }
