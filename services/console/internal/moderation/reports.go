package moderation

import (
	"net/http"
	"net/url"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// The ids of the forms of a report begin with these.
const (
	closingForm  = "c-"
	takedownForm = "t-"
)

// outcomes are how a report is closed.
var outcomes = []string{adminapi.OutcomeDismissed, adminapi.OutcomeResolved, adminapi.OutcomeTakenBack}

func showReports(r *page.Request) error { return listReports(r, again{}) }

func listReports(r *page.Request, a again) error {
	query := view.Paged(r.Query)
	if state := query.Get("state"); state != adminapi.ReportClosed {
		query.Set("state", adminapi.ReportOpen)
	}
	found, err := r.Admin().Reports(query)
	if err != nil {
		return err
	}
	pager := view.Pager{Page: found.Page, Path: root + "/" + tabReports, Query: r.Query}
	return Show(r, tabReports, reports(r, found.Reports, query.Get("state"), pager, a))
}

// closeReport closes a report with an outcome and a note for other administrators.
func closeReport(r *page.Request) error {
	report, err := r.UUID("report")
	if err != nil {
		return err
	}
	closing := adminapi.Closing{Outcome: r.Form.Get("outcome"), Note: r.Form.Text("note")}
	if closing.Note == "" {
		return reportAgain(r, again{
			of: closingForm + report, choice: closing.Outcome, errors: view.Errors{"note": r.Text.T("moderation.note_needed")},
		})
	}
	return afterReport(r, closingForm+report, closing.Note, "closed", func() error {
		return r.Admin().CloseReport(report, closing)
	})
}

// takeBack makes an event a draft that is not released until an administrator lifts that.
func takeBack(r *page.Request) error {
	event, err := r.UUID("event")
	if err != nil {
		return err
	}
	reason, of := r.Form.Text("reason"), takedownForm+r.Form.Get("report")
	if reason == "" {
		return reportAgain(r, again{of: of, errors: view.Errors{"reason": r.Text.T("moderation.reason_needed")}})
	}
	return afterReport(r, of, reason, "taken_back", func() error {
		return r.Admin().TakeDown(event, adminapi.TakedownReason{Reason: reason})
	})
}

// lift lets an event be released again.
func lift(r *page.Request) error {
	event, err := r.UUID("event")
	if err != nil {
		return err
	}
	return afterReport(r, takedownForm+r.Form.Get("report"), "", "lifted", func() error {
		return r.Admin().LiftTakedown(event)
	})
}

// afterReport does something about a report and leads back to the list of which it was. What is
// refused is shown with its form.
func afterReport(r *page.Request, form, text, notice string, do func() error) error {
	err := do()
	if err == nil {
		query := url.Values{}
		if r.Query.Get("state") == adminapi.ReportClosed {
			query.Set("state", adminapi.ReportClosed)
		}
		return r.Go(root+"/"+tabReports+"?"+query.Encode(), notice)
	}
	a, err := refused(form, text, err)
	if err != nil {
		return err
	}
	a.choice = r.Form.Get("outcome")
	return reportAgain(r, a)
}

func reportAgain(r *page.Request, a again) error {
	r.Status(http.StatusUnprocessableEntity)
	return listReports(r, a)
}

// outcomeOptions are the outcomes of a report in words: that its event was taken back only if it
// is.
func outcomeOptions(r *page.Request, report adminapi.Report, chosen string) []view.Option {
	var options []view.Option
	for _, outcome := range outcomes {
		if outcome == adminapi.OutcomeTakenBack && report.TakenBack == nil {
			continue
		}
		options = append(options, view.Option{Value: outcome, Label: r.Text.T("moderation.outcome." + outcome), Chosen: outcome == chosen})
	}
	return options
}
