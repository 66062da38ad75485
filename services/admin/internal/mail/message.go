package mail

import (
	"fmt"
	netmail "net/mail"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// Message is a mail that is ready to leave.
type Message struct {
	ID        string // the same for every attempt, so that readers can tell a mail that came twice
	From      netmail.Address
	Recipient string
	Subject   string
	Text      string
	HTML      string
	Link      string // the one that Text and HTML show
	Date      time.Time
}

// messageID returns the id of a queued mail. It names the queue's row and the sender's domain, nothing of the reader.
func messageID(queued Queued, from netmail.Address) string {
	_, domain, _ := strings.Cut(from.Address, "@")
	return fmt.Sprintf("%d.%d@%s", queued.ID, queued.CreatedAt.UnixMicro(), domain)
}

// mime returns the message as the library sends it. Addresses are parsed and headers encoded there, so that nothing in
// them can begin another header.
func (m Message) mime() (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.FromMailAddress(&m.From)
	if err := msg.To(m.Recipient); err != nil {
		return nil, fmt.Errorf("recipient: %w", err)
	}
	msg.Subject(m.Subject)
	msg.SetMessageIDWithValue(m.ID)
	msg.SetDateWithValue(m.Date)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no holiday notes, please
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	return msg, nil
}
