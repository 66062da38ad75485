package eventfile

import (
	"regexp"
	"slices"
	"strings"
)

// Place is a venue as a row names it. Parts that the row lacks are "".
type Place struct {
	Name                                  string
	Street, HouseNumber, PostalCode, City string
}

var (
	// numbered is a street with the number of a house.
	numbered = regexp.MustCompile(`^(.*\pL.*?)\s+(\d+\s?[a-zA-Z]?(?:\s?[-–/]\s?\d+\s?[a-zA-Z]?)?)$`)
	// preceded is one after it, as in French and English.
	preceded = regexp.MustCompile(`^(\d+(?:\s?(?:bis|ter|[a-zA-Z]))?(?:\s?[-–/]\s?\d+)?)\s+(\pL.*)$`)
	house    = regexp.MustCompile(`^\d+(?:\s?(?:bis|ter|[a-zA-Z]))?$`)
	// coded is a town with its postal code.
	coded = regexp.MustCompile(`^(?:[A-Z]{1,3}[- ])?(\d{4,5})\s+(\pL.*)$`)
)

// PlaceOf returns the venue that the values of a row name. Files without columns for the address
// often write it after the name: Speicher, Am Hafen 1, 24103 Kiel. A venue without a name has that
// of its street and number.
func PlaceOf(values map[string]string) Place {
	p := placeOf(values)
	if p.Name == "" && p.Street != "" {
		p.Name = p.address()
	}
	if found := numbered.FindStringSubmatch(p.Name); found != nil && p.Street == "" && p.PostalCode != "" {
		p.Street, p.HouseNumber = found[1], found[2]
	}
	return p
}

// HasOnlyAddress reports whether a place has no name but that of its street and number.
func (p Place) HasOnlyAddress() bool { return p.Street != "" && p.Name == p.address() }

func (p Place) address() string { return strings.TrimSpace(p.Street + " " + p.HouseNumber) }

func placeOf(values map[string]string) Place {
	p := Place{
		Name: oneLine(strings.ReplaceAll(values[FieldVenue], ";", ",")), Street: oneLine(values[FieldStreet]), HouseNumber: values[FieldHouseNumber],
		PostalCode: values[FieldPostalCode], City: values[FieldCity],
	}
	name, rest, several := strings.Cut(p.Name, ",")
	if several && p.Street+p.PostalCode+p.City == "" {
		p.Name = strings.TrimSpace(name)
		p.readParts(strings.Split(rest, ","))
		return p
	}
	if street, rest, several := strings.Cut(p.Street, ","); several && p.PostalCode+p.City == "" {
		p.Street = strings.TrimSpace(street)
		p.readParts(strings.Split(rest, ","))
	}
	p.splitStreet()
	if found := coded.FindStringSubmatch(p.City); found != nil && p.PostalCode == "" {
		p.PostalCode, p.City = found[1], found[2]
	}
	return p
}

// oneLine writes the lines of a cell as parts of an address.
func oneLine(text string) string {
	lines := strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' })
	for i := range lines {
		lines[i] = strings.TrimSuffix(strings.Join(strings.Fields(lines[i]), " "), ",")
	}
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), ", ")
}

// readParts reads the parts of an address in one line: the first one with a number is the street,
// one with a postal code the town, as is the next without a number.
func (p *Place) readParts(parts []string) {
	for _, part := range parts {
		part = strings.TrimSpace(part)
		found := coded.FindStringSubmatch(part)
		switch {
		case part == "":
		case found != nil && p.PostalCode == "":
			p.PostalCode, p.City = found[1], found[2]
		case p.Street == "" && numbered.MatchString(part):
			p.Street = part
		case p.City == "" && !strings.ContainsAny(part, "0123456789"):
			p.City = part
		}
	}
	p.splitStreet()
}

// splitStreet takes the number of the house off the street, which it may follow or precede, and the
// town, if the street names it, too.
func (p *Place) splitStreet() {
	parts := strings.Split(p.Street, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	parts = slices.DeleteFunc(parts, func(part string) bool {
		return part == "" || part == p.PostalCode || strings.EqualFold(part, p.City) || coded.MatchString(part)
	})
	if len(parts) > 1 && house.MatchString(parts[0]) {
		parts = append([]string{parts[0] + " " + parts[1]}, parts[2:]...)
	}
	if len(parts) > 0 && p.HouseNumber == "" {
		if found := numbered.FindStringSubmatch(parts[0]); found != nil {
			parts[0], p.HouseNumber = found[1], found[2]
		} else if found := preceded.FindStringSubmatch(parts[0]); found != nil {
			parts[0], p.HouseNumber = found[2], found[1]
		}
	}
	p.Street = strings.Join(parts, ", ")
}
