package api_test

import (
	"net/http"
	"testing"
)

const insertFailedMails = `
INSERT INTO mail_outbox (recipient, template, locale, created_at, due_at, sent_at, failed_at)
VALUES ('a@example.org', 'x', 'en', now(), now(), NULL, now()), ('b@example.org', 'x', 'en', now(), now(), now(), NULL),
    ('c@example.org', 'x', 'en', now(), now(), NULL, NULL)`

// TestAttention compares the counts with the lists that they are of.
func TestAttention(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.join(t, "platform", "", 0)
	s.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", s.people["platform"].id)
	s.exec(t, insertFailedMails)
	for _, org := range []string{s.org, s.foreign} {
		s.exec(t, "INSERT INTO organization_approval (org_uuid, state, asked_at) VALUES ($1, 'pending', now())", org)
	}
	s.exec(t, "UPDATE organization_approval SET state = 'approved', decided_at = now() WHERE org_uuid = $1", s.foreign)
	s.reported(t, s.event(t, s.org, "Jazz", "released", nil))
	for _, who := range []string{"owner", "platform"} {
		var unread, read string
		s.one(t, &unread, sceneMessage, s.people[who].id)
		s.one(t, &read, sceneMessage, s.people[who].id)
		s.as(t, who, http.MethodPut, "/user/message/"+read+"/read", "").want(t, "read", ok, "")
		s.invitation(t, s.foreign, s.people[who].email)
	}
	s.exec(t, "UPDATE invitation SET invited_by = $1", s.people["neighbour"].id)
	for who, want := range map[string]map[string]any{
		"viewer": {"unread_messages": 0.0, "invitations": 0.0, "open_reports": nil, "pending_organizations": nil, "failed_mails": nil},
		"owner":  {"unread_messages": 1.0, "invitations": 1.0, "open_reports": nil, "pending_organizations": nil, "failed_mails": nil},
		"platform": {
			"unread_messages": 1.0, "invitations": 1.0, "open_reports": 1.0, "pending_organizations": 1.0, "failed_mails": 1.0,
		},
	} {
		a := s.as(t, who, http.MethodGet, "/user/attention", "")
		a.want(t, who, ok, "")
		a.wantKeys(t, who, "unread_messages invitations open_reports pending_organizations failed_mails")
		a.has(t, who, want)
		if list := s.as(t, who, http.MethodGet, "/user/messages", ""); list.body["unread_count"] != a.body["unread_messages"] {
			t.Errorf("%s: the messages count %v", who, list.body["unread_count"])
		}
		if list := s.as(t, who, http.MethodGet, "/user/invitations", ""); list.body["total_count"] != a.body["invitations"] {
			t.Errorf("%s: the invitations count %v", who, list.body["total_count"])
		}
	}
}
