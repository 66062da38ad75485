package notice_test

import (
	"testing"

	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/platform/mail"
)

// TestMailsLeadToTheConsole: a mail about an event leads to its page. One that was queued before
// its arguments named the event leads to the organization instead.
func TestMailsLeadToTheConsole(t *testing.T) {
	t.Parallel()
	composer := notice.Composer{Link: func(page, _ string) string { return page }}
	const former, present = `{"org": "o", "event": "Konzert"}`, `{"org": "o", "event_uuid": "e", "event": "Konzert"}`
	for _, c := range []struct{ template, arguments, want string }{
		{mail.TemplateApprovalWanted, `{"org": "o"}`, "/administration/approvals"},
		{mail.TemplateApproved, `{"org": "o"}`, "/organization/o"},
		{mail.TemplateRefused, `{"org": "o"}`, "/organization/o"},
		{mail.TemplateReported, `{"org": "o", "reason": "spam"}`, "/administration/reports"},
		{mail.TemplateTakenBack, present, "/event/e"},
		{mail.TemplateTakenBack, former, "/organization/o"},
		{mail.TemplateTakedownLifted, present, "/event/e"},
		{mail.TemplateTakedownLifted, former, "/organization/o"},
		{mail.TemplateVenueAsked, present, "/venue-requests"},
		{mail.TemplateVenueAccepted, present, "/event/e"},
		{mail.TemplateVenueRefused, present, "/event/e"},
		{mail.TemplateSeriesAsked, present, "/organization/o/series"},
		{mail.TemplateSeriesAccepted, present, "/event/e"},
		{mail.TemplateSeriesRefused, present, "/event/e"},
		{mail.TemplateSourceFails, `{"org": "o", "event": "Kalender"}`, "/organization/o/sources"},
	} {
		got, err := composer.Compose(t.Context(), nil, mail.Job{Template: c.template, Locale: "en", Arguments: []byte(c.arguments)})
		if err != nil || got.Link != c.want {
			t.Errorf("%s %s leads to %q, %v, want %s", c.template, c.arguments, got.Link, err, c.want)
		}
	}
}
