package adminapi

// Positions are the positions that an address may have, the most precise first, and the sources
// that pages which show them have to name.
type Positions struct {
	Positions []Position `json:"positions"`
	Credits   []string   `json:"credits"`
}

// Position is a proposed position; an absent part of its address is "".
type Position struct {
	Name        string  `json:"name"`
	Street      string  `json:"street"`
	HouseNumber string  `json:"house_number"`
	PostalCode  string  `json:"postal_code"`
	City        string  `json:"city"`
	Country     string  `json:"country"` // ISO 3166-1 alpha-3
	Lat         float64 `json:"lat"`
	Lon         float64 `json:"lon"`
	Precision   string  `json:"precision"` // one of the following
}

// The precisions of positions.
const (
	PreciseAddress = "address"
	PreciseStreet  = "street"
	PreciseTown    = "town" // its middle
)
