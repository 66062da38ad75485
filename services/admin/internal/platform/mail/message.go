package mail

import (
	"fmt"
	netmail "net/mail"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// Message is a composed mail.
type Message struct {
	ID        string // the same for every attempt, so that a duplicate is recognised
	From      netmail.Address
	Recipient string
	Subject   string
	Text      string
	HTML      string
	Link      string // the link in Text and HTML
	Date      time.Time
}

// messageID returns the id of a queued mail: the queue's row and the sender's domain, nothing about
// the recipient.
func messageID(queued Job, from netmail.Address) string {
	_, domain, _ := strings.Cut(from.Address, "@")
	return fmt.Sprintf("%d.%d@%s", queued.ID, queued.CreatedAt.UnixMicro(), domain)
}

// mime converts the message for the library, which parses addresses and encodes headers, so that
// their text cannot add another header.
func (m Message) mime() (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.FromMailAddress(&m.From)
	if err := msg.To(m.Recipient); err != nil {
		return nil, fmt.Errorf("recipient: %w", err)
	}
	msg.Subject(m.Subject)
	msg.SetMessageIDWithValue(m.ID)
	msg.SetDateWithValue(m.Date)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: prevents automatic replies
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	return msg, nil
}
