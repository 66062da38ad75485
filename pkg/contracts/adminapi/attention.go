package adminapi

// Attention is how much waits for a user. The last three are null unless the user is a platform
// administrator.
type Attention struct {
	UnreadMessages       int  `json:"unread_messages"`
	Invitations          int  `json:"invitations"` // that the user can accept
	OpenReports          *int `json:"open_reports"`
	PendingOrganizations *int `json:"pending_organizations"`
	FailedMails          *int `json:"failed_mails"` // that no server has taken
}
