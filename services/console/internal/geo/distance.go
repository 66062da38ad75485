package geo

import (
	"math"
	"strconv"
	"strings"

	"litfass/services/console/internal/text"
)

// FormatDistance writes metres as people say them: up to a kilometre in steps of ten metres, above
// in tenths of a kilometre.
func FormatDistance(t *text.Texts, metres float64) string {
	if metres < 1000 {
		return t.With("place.metres", "N", strconv.Itoa(int(math.Round(metres/10))*10))
	}
	kilometres := strconv.FormatFloat(math.Round(metres/100)/10, 'f', -1, 64)
	return t.With("place.kilometres", "N", strings.ReplaceAll(kilometres, ".", t.T("format.decimal")))
}
