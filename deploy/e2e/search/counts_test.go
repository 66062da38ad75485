package search

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/pkg/chassis/lane"
)

// countedFilters is how many random filters the numbers of pages are checked for, and
// countedChoices how many numbers of a page.
var countedFilters, countedChoices = lane.Scale(24, 90), lane.Scale(5, 8)

// countedPages are the pages with a filter and numbers next to its choices.
var countedPages = []string{"/", "/month", "/map"}

// testCounts: the number next to each choice of a list, a calendar and a map is that of the events
// which the page shows once it is chosen: without a filter, with one value of each kind, and for
// random filters.
func testCounts(s *harness.System, t *testing.T, c *reference.Catalogue, seed uint64) {
	o := outputs{s.Client, s.Reference(c)}
	queries := generate.NewQueries(seed, o.ref, c, time.Now().In(harness.Berlin))
	addresses := o.firstChoices(t)
	for n := 0; n < countedFilters; {
		query := onForm(queries.Next().Parameters)
		if len(query.Encode()) < 2000 {
			addresses = append(addresses, countedPages[n%len(countedPages)]+"?"+query.Encode())
			n++
		}
	}
	work := make(chan string)
	var workers sync.WaitGroup
	for n := range 4 {
		random := rand.New(rand.NewPCG(seed, uint64(n)))
		workers.Go(func() {
			for address := range work {
				if err := o.checkCounts(t.Context(), random, address); err != nil {
					t.Errorf("%s: %v", address, err)
				}
			}
		})
	}
	for _, address := range addresses {
		work <- address
	}
	close(work)
	workers.Wait()
}

// firstChoices returns the addresses of the pages without a filter, and with one value of each
// parameter of their forms.
func (o outputs) firstChoices(t *testing.T) (addresses []string) {
	t.Helper()
	for _, path := range countedPages {
		address := path + "?lang=en"
		page, err := o.html(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		addresses = append(addresses, address)
		chosen := map[string]bool{}
		for _, choice := range choicesOf(page) {
			if name, _, _ := strings.Cut(choice.name, ":"); !chosen[name] {
				chosen[name] = true
				addresses = append(addresses, choice.address)
			}
		}
		for _, name := range []string{"city", "categories", "event_types", "price_types", "languages", "accessibility"} {
			if !chosen[name] {
				t.Errorf("%s offers no %s", path, name)
			}
		}
	}
	return addresses
}

// onForm returns the filter of a query for pages, in English.
func onForm(p reference.Parameters) url.Values {
	filter := url.Values{"lang": {"en"}}
	for name, value := range maps.All(p) {
		switch name {
		case "limit", "offset", "last_event_start_at", "last_event_date_uuid", "sort":
		default:
			filter.Set(name, value)
		}
	}
	return filter
}

// counted is a choice of a page with the number next to it.
type counted struct {
	name    string
	events  int
	address string // of the page once it is chosen
}

// checkCounts compares some numbers of a page with the pages that their choices lead to. The end of
// a date may pass in between, so a difference counts only when it stays.
func (o outputs) checkCounts(ctx context.Context, random *rand.Rand, address string) (err error) {
	for range 3 {
		if err = o.compareCounts(ctx, random, address); err == nil {
			return nil
		}
	}
	return err
}

func (o outputs) compareCounts(ctx context.Context, random *rand.Rand, address string) error {
	page, err := o.html(ctx, address)
	if err != nil {
		return err
	}
	choices := append(choicesOf(page), linksOf(page)...)
	if query, isMap := strings.CutPrefix(address, "/map?"); isMap {
		choices = append(choices, counted{"the map", headingOf(page), "/?" + query}) // the same events as a list
	}
	random.Shuffle(len(choices), func(i, j int) { choices[i], choices[j] = choices[j], choices[i] })
	for _, choice := range choices[:min(len(choices), countedChoices)] {
		chosen, err := o.html(ctx, choice.address)
		if err != nil {
			return err
		}
		if got := headingOf(chosen); got != choice.events {
			return fmt.Errorf("next to %q is %d, but %s shows %d", choice.name, choice.events, choice.address, got)
		}
	}
	return nil
}

func (o outputs) html(ctx context.Context, path string) (*html.Node, error) {
	answer, err := o.get(ctx, path)
	if err != nil {
		return nil, err
	}
	return html.Parse(bytes.NewReader(answer.Body))
}

// headingOf returns the number of events in the heading of a page, -1 for none.
func headingOf(page *html.Node) int {
	if heading := first(page, "found-count"); heading != nil {
		return numberIn(textOf(heading))
	}
	return -1
}

// inBrackets is the number of events of an option.
var inBrackets = regexp.MustCompile(`\([0-9,]+\)$`)

// choicesOf returns the choices of the form which are not chosen, with the addresses that a browser
// sends the form to. Where one value of a list is enough, the number is of the events with that
// value: it takes the place of those that are chosen. Where all are needed, it joins them.
func choicesOf(page *html.Node) (choices []counted) {
	fields, action := url.Values{}, ""
	var controls []*html.Node
	for node := range page.Descendants() {
		if node.Type == html.ElementNode && attributeOf(node, "id") == "filter" && node.Data == "form" {
			action = attributeOf(node, "action")
		}
		if (node.Data == "input" || node.Data == "select") && (attributeOf(node, "form") == "filter" || attributeOf(node, "id") == "search") {
			controls = append(controls, node)
		}
	}
	for _, control := range controls {
		name := attributeOf(control, "name")
		switch {
		case control.Data == "select":
			fields.Add(name, selected(control))
		case attributeOf(control, "type") != "checkbox" || has(control, "checked"):
			fields.Add(name, attributeOf(control, "value"))
		}
	}
	for _, control := range controls {
		name := attributeOf(control, "name")
		if control.Data == "select" {
			for option := range control.Descendants() {
				number := inBrackets.FindString(textOf(option))
				if option.Data == "option" && number != "" && !has(option, "selected") {
					to := with(fields, name, attributeOf(option, "value"), false)
					choices = append(choices, counted{name + ": " + textOf(option), numberIn(number), action + "?" + to.Encode()})
				}
			}
			continue
		}
		if attributeOf(control, "type") == "checkbox" && !has(control, "checked") {
			to := with(fields, name, attributeOf(control, "value"), name == "accessibility")
			choices = append(choices, counted{name + ": " + textOf(control.Parent), numberIn(textOf(first(control.Parent, "count"))), action + "?" + to.Encode()})
		}
	}
	return choices
}

// linksOf returns the links of a page with a number of events: kinds, days, places of the map, and
// of a list without events, those that leave a filter out.
func linksOf(page *html.Node) (links []counted) {
	for node := range page.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		href := attributeOf(node, "href")
		switch class := " " + attributeOf(node, "class") + " "; {
		case strings.Contains(class, " finer "):
			for item := range node.ChildNodes() {
				link := firstOf(item, "a")
				links = append(links, counted{"finer: " + textOf(item), numberIn(textOf(first(item, "count"))), attributeOf(link, "href")})
			}
		case strings.Contains(class, " rescue "):
			for item := range node.ChildNodes() {
				if number := first(item, "count"); number != nil {
					links = append(links, counted{"rescue: " + textOf(item), numberIn(textOf(number)), attributeOf(firstOf(item, "a"), "href")})
				}
			}
		case strings.Contains(class, " month-day ") && attributeOf(node, "data-count") != "0":
			events, _ := strconv.Atoi(attributeOf(node, "data-count"))
			links = append(links, counted{"day: " + attributeOf(node, "data-day"), events, attributeOf(firstOf(node, "a"), "href")})
		case strings.Contains(class, " map-point ") && strings.HasPrefix(href, "/?"):
			links = append(links, counted{"point: " + attributeOf(node, "aria-label"), numberIn(attributeOf(node, "data-count")), href})
		case strings.Contains(class, " map-dates "):
			links = append(links, counted{"place: " + textOf(node), numberIn(textOf(node)), href})
		}
	}
	return links
}

func with(fields url.Values, name, value string, more bool) url.Values {
	to := url.Values{}
	for field, values := range fields {
		to[field] = append([]string(nil), values...)
	}
	if !more {
		to.Del(name)
	}
	to.Add(name, value)
	return to
}

func selected(control *html.Node) string {
	for option := range control.Descendants() {
		if option.Data == "option" && has(option, "selected") {
			return attributeOf(option, "value")
		}
	}
	return attributeOf(firstOf(control, "option"), "value")
}

// numberIn returns the first whole number of an English text, 0 for none.
func numberIn(text string) int {
	digits := ""
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits += string(r)
		case r == ',' && digits != "":
		case digits != "":
			n, _ := strconv.Atoi(digits)
			return n
		}
	}
	n, _ := strconv.Atoi(digits)
	return n
}

func attributeOf(node *html.Node, name string) string {
	if node != nil {
		for _, attribute := range node.Attr {
			if attribute.Key == name {
				return attribute.Val
			}
		}
	}
	return ""
}

func has(node *html.Node, name string) bool {
	for _, attribute := range node.Attr {
		if attribute.Key == name {
			return true
		}
	}
	return false
}

// first returns the first element of a class, nil for none.
func first(node *html.Node, class string) *html.Node {
	for child := range node.Descendants() {
		if strings.Contains(" "+attributeOf(child, "class")+" ", " "+class+" ") {
			return child
		}
	}
	return nil
}

// firstOf returns the first element of a name, nil for none.
func firstOf(node *html.Node, name string) *html.Node {
	for child := range node.Descendants() {
		if child.Type == html.ElementNode && child.Data == name {
			return child
		}
	}
	return nil
}

func textOf(node *html.Node) string {
	var text strings.Builder
	if node != nil {
		for child := range node.Descendants() {
			if child.Type == html.TextNode {
				text.WriteString(child.Data)
			}
		}
	}
	return strings.Join(strings.Fields(text.String()), " ")
}
