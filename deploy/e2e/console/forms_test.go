package console

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
)

// visitor is a person at the console who sends forms as the scripts of pages do.
type visitor struct {
	*client.Client
	cookie string // that of the session, and that of the scripts
}

// scriptsCookie is left by the scripts of pages.
const scriptsCookie = "; litfass_scripts=1"

// withoutScripts is the visitor with a browser that runs no scripts.
func (v visitor) withoutScripts() visitor {
	v.cookie = strings.TrimSuffix(v.cookie, scriptsCookie)
	return v
}

// visitorOf returns the visitor whose browser has a state of the journey "console-sessions".
func (c *consoleTest) visitorOf(t *testing.T, state json.RawMessage) visitor {
	t.Helper()
	var kept struct {
		Cookies []struct{ Name, Value string } `json:"cookies"`
	}
	if err := json.Unmarshal(state, &kept); err != nil {
		t.Fatal(err)
	}
	v := visitor{Client: client.New(c.URL(), 4)}
	v.HTTP.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, cookie := range kept.Cookies {
		if cookie.Name == "litfass_console" {
			v.cookie = cookie.Name + "=" + cookie.Value + scriptsCookie
		}
	}
	return v
}

// get asks for a page.
func (v visitor) get(t *testing.T, path string) client.Answer {
	t.Helper()
	return v.send(t, http.MethodGet, path, http.Header{"Accept": {"text/html"}}, nil)
}

// post sends a form.
func (v visitor) post(t *testing.T, f form) client.Answer {
	t.Helper()
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}}
	return v.send(t, http.MethodPost, f.action, header, []byte(f.values.Encode()))
}

func (v visitor) send(t *testing.T, method, path string, header http.Header, body []byte) client.Answer {
	t.Helper()
	header.Set("Cookie", v.cookie)
	answer, err := v.Do(t.Context(), method, path, header, body)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// form is a form of a page that changes something, with what a person sends who fills in what is
// empty.
type form struct {
	action string // its path with the query
	values url.Values
}

// formsOf returns the forms of a page by their actions, including forms that are a single button.
func formsOf(t *testing.T, page []byte) map[string]form {
	t.Helper()
	root, err := html.Parse(strings.NewReader(string(page)))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]form{}
	var of *html.Node // the form around the node
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		around := of
		if n.Data == "form" && strings.EqualFold(attributeOf(n, "method"), http.MethodPost) && canBeSent(n) {
			of = n
			action, _, _ := strings.Cut(attributeOf(n, "action"), "#")
			found[action] = form{action, valuesOf(n)}
		}
		for _, name := range []string{"hx-post", "formaction"} {
			if action := attributeOf(n, name); action != "" && of != nil {
				found[action] = form{action, valuesOf(of)}
			}
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child)
		}
		of = around
	}
	walk(root)
	return found
}

// canBeSent reports whether a form has a submit button: forms that only display stored values have
// none.
func canBeSent(n *html.Node) bool {
	for button := range n.Descendants() {
		if button.Data == "button" && attributeOf(button, "type") != "button" {
			return true
		}
	}
	return false
}

// valuesOf returns the values of a form.
func valuesOf(n *html.Node) url.Values {
	values := url.Values{}
	for field := range n.Descendants() {
		name, value := attributeOf(field, "name"), attributeOf(field, "value")
		if name == "" || field.Type != html.ElementNode {
			continue
		}
		switch kind := attributeOf(field, "type"); {
		case field.Data == "textarea":
			values.Add(name, "planted")
		case field.Data == "select":
			values.Add(name, chosenOption(field))
		case field.Data != "input" && field.Data != "button", kind == "file":
		case value == "" && (kind == "" || kind == "text"):
			values.Add(name, "planted")
		case value == "" && kind == "url":
			values.Add(name, "https://example.org/planted")
		case value == "" && kind == "password":
			values.Add(name, harness.EditorPassword)
		default:
			values.Add(name, value)
		}
	}
	return values
}

// chosenOption returns the value of the last option of a field, which is no "please choose".
func chosenOption(field *html.Node) (value string) {
	for option := range field.Descendants() {
		if option.Data == "option" {
			value = attributeOf(option, "value")
		}
	}
	return value
}

func attributeOf(n *html.Node, name string) string {
	for _, attribute := range n.Attr {
		if attribute.Key == name {
			return attribute.Val
		}
	}
	return ""
}
