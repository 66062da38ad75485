// Package geo has addresses, points, distances and maps.
package geo

import "strings"

// AddressKeys are the fields of an address, in the order of a form.
var AddressKeys = []string{"street", "house_number", "postal_code", "city", "state", "country"}

// DependentKeys are fields that have a meaning only together: a state in its country, a latitude
// with its longitude. A change of one of them is a change of all.
var DependentKeys = []string{"country", "state", "lat", "lon"}

// AddressLine writes an address as people in Germany and Denmark do: street and number, code and
// city.
func AddressLine(street, number, code, city string) string {
	var parts []string
	for _, pair := range [][2]string{{street, number}, {code, city}} {
		if part := strings.TrimSpace(pair[0] + " " + pair[1]); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}
