package inbox

import (
	"strconv"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

const pageMessages = page.Root + "/messages"

func listMessages(r *page.Request) error {
	list, err := r.Admin().Messages(view.Paged(map[string][]string{"page": r.Query["page"]}))
	if err != nil {
		return err
	}
	return r.Show(view.Page{Title: r.Text.T("nav.messages"), Section: view.SectionMessages, Content: messages(r, list)})
}

// number returns a numeric part of the path in the service's notation. Any other text is NotFound,
// since no page can have it in its address.
func number(r *page.Request, name string) (string, error) {
	id, err := strconv.ParseUint(r.Param(name), 10, 31)
	if err != nil || id == 0 {
		return "", fault.New(fault.NotFound, "", "there is no such page")
	}
	return strconv.FormatUint(id, 10), nil
}

// showMessage shows a message, which is read from then on.
func showMessage(r *page.Request) error { return showRead(r, letter{}) }

// showRead shows a message with an answer to it as it was typed.
func showRead(r *page.Request, answer letter) error {
	shown, err := read(r)
	if err != nil {
		return err
	}
	return r.Status(answer.status()).Show(view.Page{Title: shown.Subject, Section: view.SectionMessages, Content: message(r, shown, answer)})
}

// read returns the message of the path, and marks it as read.
func read(r *page.Request) (adminapi.Message, error) {
	id, err := number(r, "message")
	if err != nil {
		return adminapi.Message{}, err
	}
	return r.Admin().ReadMessage(id)
}

func reply(r *page.Request) error {
	id, err := number(r, "message")
	if err != nil {
		return err
	}
	answer := letter{Message: r.Form.Text("message")}
	if answer.Message == "" {
		answer.Errors = view.Errors{"message": r.Text.T("message.required")}
		return showRead(r, answer)
	}
	err = r.Admin().Reply(id, adminapi.Reply{Message: answer.Message})
	if err == nil {
		return r.Go(pageMessages+"/"+id, "sent")
	}
	if answer.refused(r, err) {
		return showRead(r, answer)
	}
	return err
}

func askDelete(r *page.Request) error {
	shown, err := read(r)
	if err != nil {
		return err
	}
	return r.Show(view.Page{Title: r.Text.T("message.delete_ask"), Section: view.SectionMessages, Content: deletingMessage(r.Text, shown)})
}

func deleteMessage(r *page.Request) error {
	id, err := number(r, "message")
	if err != nil {
		return err
	}
	if err := r.Admin().DeleteMessage(id); err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return r.Go(pageMessages, "deleted")
}
