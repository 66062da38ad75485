package adminapi

import "time"

// UndeliveredMail is a mail that was given up: refused by the mail server, or failed too often.
type UndeliveredMail struct {
	ID        int64     `json:"id"`
	Template  string    `json:"template"` // what it is about, such as "activate"
	Recipient string    `json:"recipient"`
	Locale    string    `json:"locale"`
	Attempts  int       `json:"attempts"`
	LastError string    `json:"last_error"` // may hold the server's own words
	CreatedAt time.Time `json:"created_at"`
	FailedAt  time.Time `json:"failed_at"`
}

// UndeliveredMails is a page of them, the last given up first.
type UndeliveredMails struct {
	Mails []UndeliveredMail `json:"mails"`
	Page
}
