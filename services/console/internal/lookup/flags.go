package lookup

import (
	"strconv"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// Unnamed returns the bits of a mask that no flag names, of an unknown mask none: a form cannot
// show them, and must not lose them. They are all of the mask while flags could not be read.
func Unnamed(flags []publicapi.Flag, mask *value.Mask) value.Mask {
	if mask == nil {
		return 0
	}
	rest := *mask
	for _, flag := range flags {
		if n, err := strconv.Atoi(flag.ID); err == nil && n >= 0 && n < 64 {
			rest &^= 1 << n
		}
	}
	return rest
}
