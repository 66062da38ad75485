package view

import (
	"maps"
	"net/url"
	"strconv"

	"litfass/pkg/contracts/adminapi"
)

// Pager leads through the pages of a list.
type Pager struct {
	Page  adminapi.Page
	Path  string
	Query url.Values // of the list, which the links keep
}

// PageSize is how many entries a list shows at once.
const PageSize = 25

// Paged returns the query of a page of a list: that of the address, with the part that it shows.
func Paged(query url.Values) url.Values {
	paged := maps.Clone(query)
	if paged == nil {
		paged = url.Values{}
	}
	for _, own := range []string{"lang", "notice", "page"} {
		paged.Del(own)
	}
	number, err := strconv.Atoi(query.Get("page"))
	if err != nil || number < 1 {
		number = 1
	}
	paged.Set("limit", strconv.Itoa(PageSize))
	paged.Set("offset", strconv.Itoa((number-1)*PageSize))
	return paged
}

// number returns the number of the page that is shown, from 1.
func (p Pager) number() int { return p.Page.Offset/max(p.Page.Limit, 1) + 1 }

// count returns how many pages there are.
func (p Pager) count() int {
	size := max(p.Page.Limit, 1)
	return max((p.Page.TotalCount+size-1)/size, 1)
}

// link returns the address of a page.
func (p Pager) link(number int) string {
	query := maps.Clone(p.Query)
	if query == nil {
		query = url.Values{}
	}
	query.Del("notice")
	query.Set("page", strconv.Itoa(number))
	return p.Path + "?" + query.Encode()
}
