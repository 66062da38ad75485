package publicapi

// Region is a region without its area.
type Region struct {
	CountrySlug string `json:"country_slug"`
	CountryName string `json:"country_name"`
	StateSlug   string `json:"state_slug"`
	StateName   string `json:"state_name"`
	RegionSlug  string `json:"region_slug"`
	Name        string `json:"name"`
}

// GeoCountries is the data of GET /api/geolist/countries: the countries that have regions, by name.
type GeoCountries struct {
	Countries []GeoCountry `json:"countries"`
}

// GeoCountry is a country that has regions.
type GeoCountry struct {
	Slug string `json:"slug"`
	Name string `json:"name"`
}

// GeoStates is the data of GET /api/geolist/states.
type GeoStates struct {
	States []GeoState `json:"states"`
}

// GeoState is a state that has regions.
type GeoState struct {
	CountrySlug string `json:"country_slug"`
	Slug        string `json:"slug"`
	Name        string `json:"name"`
}

// GeoRegions is the data of GET /api/geolist/regions.
type GeoRegions struct {
	Regions []GeoRegion `json:"regions"`
}

// GeoRegion is a region with the value of the search parameter geolist_region that asks for it.
type GeoRegion struct {
	CountrySlug   string `json:"country_slug"`
	StateSlug     string `json:"state_slug"`
	Slug          string `json:"slug"`
	Name          string `json:"name"`
	GeolistRegion string `json:"geolist_region"`
}
