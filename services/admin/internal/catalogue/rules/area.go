package rules

import (
	"encoding/json"
	"errors"
	"math"

	"litfass/pkg/chassis/fault/reason"
)

// maxPositions bounds a region's geometry, so that its change fits into a message of the stream.
const maxPositions = 100_000

// area is a stored GeoJSON Polygon or MultiPolygon (RFC 7946).
type area struct {
	Type        string `json:"type"`
	Coordinates any    `json:"coordinates"` // polygon, or []polygon

	polygons []polygon
}

type (
	polygon  []ring // the outline, then its holes
	ring     []position
	position [2]float64 // lon, lat
)

var errNoArea = errors.New("is not a GeoJSON Polygon or MultiPolygon")

// UnmarshalJSON reads the first two numbers of a position; a third, the altitude, is dropped.
func (p *position) UnmarshalJSON(data []byte) error {
	var numbers []*float64
	if err := json.Unmarshal(data, &numbers); err != nil {
		return err
	}
	if len(numbers) < 2 || numbers[0] == nil || numbers[1] == nil {
		return errNoArea
	}
	*p = position{*numbers[0], *numbers[1]}
	return nil
}

// parseArea reads a GeoJSON geometry that covers an area.
func parseArea(data json.RawMessage) (area, error) {
	var file struct {
		Type        string
		Coordinates json.RawMessage
	}
	if json.Unmarshal(data, &file) != nil {
		return area{}, errNoArea
	}
	switch file.Type {
	case "Polygon":
		var one polygon
		if json.Unmarshal(file.Coordinates, &one) != nil {
			return area{}, errNoArea
		}
		return area{Type: file.Type, Coordinates: one, polygons: []polygon{one}}, nil
	case "MultiPolygon":
		var many []polygon
		if json.Unmarshal(file.Coordinates, &many) != nil {
			return area{}, errNoArea
		}
		return area{Type: file.Type, Coordinates: many, polygons: many}, nil
	default:
		return area{}, errNoArea
	}
}

// check returns a reason for an area without a ring, for a ring of fewer than four positions or one
// that is not closed, and for a position out of range.
func (a area) check() *reason.Reason {
	if len(a.polygons) == 0 {
		return reason.AreaWithoutPolygon
	}
	positions := 0
	for _, polygon := range a.polygons {
		if len(polygon) == 0 {
			return reason.AreaWithoutRing
		}
		for _, ring := range polygon {
			if why := ring.check(); why != nil {
				return why
			}
			positions += len(ring)
		}
	}
	if positions > maxPositions {
		return reason.AreaTooManyPositions(positions, maxPositions)
	}
	return nil
}

func (r ring) check() *reason.Reason {
	if len(r) < 4 {
		return reason.AreaRingTooShort(len(r))
	}
	if r[0] != r[len(r)-1] {
		return reason.AreaNotClosed
	}
	for _, p := range r {
		if math.Abs(p[0]) > 180 || math.Abs(p[1]) > 90 {
			return reason.AreaOffEarth(p[0], p[1])
		}
	}
	return nil
}
