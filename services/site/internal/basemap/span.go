package basemap

import "slices"

// span returns the shortest way from west to east that passes all of the longitudes: all around but
// for the widest gap. east is west or more.
func span(longitudes []float64) (west, east float64) {
	sorted := slices.Sorted(slices.Values(longitudes))
	last := len(sorted) - 1
	west, east = sorted[0], sorted[last]
	widest := sorted[0] + 360 - sorted[last]
	for i := range last {
		if gap := sorted[i+1] - sorted[i]; gap > widest {
			widest, west, east = gap, sorted[i+1], sorted[i]+360
		}
	}
	return west, east
}
