package sending

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// row is the row of a kind in deploy/docs/storage.md.
func (k Kind) row() string {
	counts := map[by]string{
		byReceiver: "to one mailbox", bySubject: "about one subject to one receiver", byPerson: "of one person",
		byNewcomer: "of one person before the first acceptance", byPersonToReceiver: "of one person to one receiver",
		byOrganization: "of one organization", byOrganizationToOne: "of one organization to one receiver",
	}
	windows := map[time.Duration]string{day: "a day", hour: "an hour", 10 * time.Minute: "in 10 minutes"}
	var bounds []string
	for _, b := range k.bounds {
		bounds = append(bounds, fmt.Sprintf("%d %s %s", b.max, windows[b.window], counts[b.by]))
	}
	templates := "messages of people in the console"
	if len(k.Templates) > 0 {
		templates = "`" + strings.Join(k.Templates, "`, `") + "`"
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", k.Name, templates, strings.Join(bounds, "; "), k.Beyond)
}

// TestTableOfMails: the document for operators has the kinds as they are.
func TestTableOfMails(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../../../../deploy/docs/storage.md")
	if err != nil {
		t.Fatal(err)
	}
	_, mails, _ := strings.Cut(string(document), "\n## Mails\n")
	for _, kind := range kinds {
		if row := kind.row(); !strings.Contains(mails, row) {
			t.Errorf("the section Mails lacks the row\n%s", row)
		}
	}
	if rows := strings.Count(mails, "\n| "); rows != len(kinds)+2 {
		t.Errorf("the section Mails has %d rows, want %d", rows, len(kinds)+2)
	}
}
