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
