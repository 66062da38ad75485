package project

import (
	"encoding/json"
	"fmt"
	"math"
)

// The engine reads a number of up to 15 digits exactly, but one of 16 or 17 sometimes as its
// neighbour, and would then never equal the stream. So coordinates are rounded to a
// hundred-billionth of a degree, about a micrometre.
const decimals = 1e11

func exact(number float64) float64 { return math.Round(number*decimals) / decimals }

// coordinate returns a coordinate, or a place within an image, as the engine can hold it; nil stays
// nil.
func coordinate(number *float64) *float64 {
	if number == nil {
		return nil
	}
	rounded := exact(*number)
	return &rounded
}

// geometry returns a GeoJSON geometry in canonical form, with its numbers rounded by exact.
func geometry(raw json.RawMessage) (json.RawMessage, error) {
	var decoded any
	if err := json.Unmarshal(raw, &decoded); err != nil {
		return nil, fmt.Errorf("geometry: %w", err)
	}
	rounded, err := json.Marshal(exactAll(decoded))
	if err != nil {
		return nil, fmt.Errorf("geometry: %w", err)
	}
	return rounded, nil
}

// exactAll changes all numbers within a decoded JSON value.
func exactAll(decoded any) any {
	switch v := decoded.(type) {
	case float64:
		return exact(v)
	case []any:
		for i := range v {
			v[i] = exactAll(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = exactAll(v[name])
		}
	}
	return decoded
}
