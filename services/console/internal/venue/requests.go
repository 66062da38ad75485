package venue

import (
	"net/http"
	"net/url"
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// pageRequests is the page of the requests for venues that the person may decide.
const pageRequests = page.Root + "/venue-requests"

// requestList is that page. words and errors are those of the form of the request failed, which is
// shown again.
type requestList struct {
	*page.Request
	found  adminapi.VenueRequests
	failed string
	words  string
	errors view.Errors
}

func listRequests(r *page.Request) error { return requestList{Request: r}.show() }

func (l requestList) show() (err error) {
	asked := view.Paged(map[string][]string{"page": l.Query["page"]})
	if l.found, err = l.Admin().VenueRequests(url.Values{"limit": asked["limit"], "offset": asked["offset"]}); err != nil {
		return err
	}
	return l.Show(view.Page{Title: l.Text.T("requests"), Section: view.SectionMessages, Content: requestsPage(l)})
}

// decideRequest accepts or refuses a request, by the button that sent the form.
func decideRequest(r *page.Request) error {
	request, err := r.UUID("request")
	if err != nil {
		return err
	}
	choice := r.Form.Get("decision")
	if !slices.Contains([]string{"accept", "accept_all", "refuse"}, choice) {
		return fault.New(fault.NotFound, "", "there is no such decision")
	}
	decision := adminapi.VenueDecision{
		Accepted: choice != "refuse", ForOrganization: choice == "accept_all",
		Answer: value.Text(r.Form.Text("answer")),
	}
	err = r.Admin().DecideVenueRequest(request, decision)
	switch code := fault.Of(err).StableCode(); {
	case err == nil:
		return r.Go(pageRequests, "request_decided")
	case fault.Is(err, fault.Invalid):
		r.Status(http.StatusUnprocessableEntity)
		return requestList{Request: r, failed: request, words: string(decision.Answer), errors: view.ErrorsOf(err)}.show()
	case code == "venue_closed":
		return r.Go(pageRequests, "venue_closed")
	}
	return err
}

// eventLine writes the day of the event that a request is about.
func (l requestList) eventLine(q adminapi.VenueRequest) string {
	return dayOf(l.Text, string(q.EventStart))
}

// wordsOf and errorsOf are what was typed in the form of a request, and why it was refused.
func (l requestList) wordsOf(uuid string) string {
	if uuid == l.failed {
		return l.words
	}
	return ""
}

func (l requestList) errorsOf(uuid string) view.Errors {
	if uuid == l.failed {
		return l.errors
	}
	return nil
}
