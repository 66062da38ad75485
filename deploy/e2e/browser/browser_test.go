package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// policy is the Content-Security-Policy of the test's pages.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"

// page is an accessible page with something in its body.
func page(body string) string {
	return `<!doctype html><html lang="en"><title>Litfass</title><meta name="viewport" content="width=device-width">` +
		`<link rel="icon" href="/icon.svg"><main><h1>Größe</h1>` + body + `</main></html>`
}

// good is a page on which all is well.
var good = page(`<p>What is on today.</p><a href="/first">First</a> <button>Second</button> <a href="/third">Third</a>` +
	`<script src="/script.js"></script>`)

// files are the answers of the test's site, by path.
var files = map[string]string{
	"/": good, "/first": good, "/third": good,
	"/script.js":      strings.Repeat("document.title += '';", 1000),
	"/icon.svg":       `<svg xmlns="http://www.w3.org/2000/svg"/>`,
	"/axe":            page(`<img src="/icon.svg">`),
	"/console":        page(`<script src="/console.js"></script>`),
	"/console.js":     "console.error('planted');",
	"/page":           page(`<script src="/page.js"></script>`),
	"/page.js":        "throw new Error('planted');",
	"/policy":         page(`<p style="color: red">Text</p>`),
	"/wide":           page(`<link rel="stylesheet" href="/wide.css"><p>Text</p>`),
	"/wide.css":       "p { width: 700px; }",
	"/hidden-focus":   page(`<link rel="stylesheet" href="/hidden.css"><a href="/first">First</a>`),
	"/hidden.css":     "a:focus { outline: none; }",
	"/shift":          page(`<script src="/shift.js" defer></script><p>Text</p>`),
	"/shift.js":       shift,
	"/missing-script": page(`<script src="/nowhere.js"></script>`),
}

// shift moves the page down after it was painted.
const shift = `requestAnimationFrame(() => requestAnimationFrame(() => {
	const advertisement = document.createElement("canvas");
	advertisement.height = 400;
	document.querySelector("main").prepend(advertisement);
}));`

// site serves the files, with a page at /origin that asks another origin.
func site(t *testing.T, other string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, found := files[r.URL.Path]
		if r.URL.Path == "/origin" {
			body, found = page(fmt.Sprintf(`<img alt="" src="%s/icon.svg">`, other)), true
		} else {
			w.Header().Set("Content-Security-Policy", policy)
		}
		if !found {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", kind(r.URL.Path))
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func kind(path string) string {
	switch {
	case strings.HasSuffix(path, ".js"):
		return "text/javascript"
	case strings.HasSuffix(path, ".css"):
		return "text/css"
	case strings.HasSuffix(path, ".svg"):
		return "image/svg+xml"
	default:
		return "text/html; charset=utf-8"
	}
}

func TestWithoutNodeTheErrorSaysSo(t *testing.T) {
	t.Setenv("PATH", "")
	if b, err := Open(t.Context()); err == nil || !strings.Contains(err.Error(), "node is missing: install Node.js 20") {
		t.Errorf("got %v, %v", b, err)
	}
}

func TestJourneys(t *testing.T) {
	b := Start(t)
	other := site(t, "")
	base := site(t, other)
	visit := func(path string) Journey {
		return Journey{Name: "visit", Base: base, Args: map[string]any{"path": path}}
	}

	t.Run("all is well", func(t *testing.T) {
		wantGood(t, b.Run(t, visit("/")))
		b.Run(t, Journey{Name: "audit", Base: base, Args: map[string]any{"paths": []string{"/", "/first"}}})
	})
	t.Run("without scripts", func(t *testing.T) {
		off := map[string]any{"javaScriptEnabled": false}
		j := visit("/page")
		j.Context = off
		b.Run(t, j)
		j = visit("/policy")
		j.Context = off
		wantFailure(t, b.Try(t, j), "console", "style-src")
		j = tabs(base, "/", "link First", "link Third")
		j.Context = off
		b.Run(t, j)
	})
	t.Run("by keyboard", func(t *testing.T) {
		result := b.Run(t, tabs(base, "/", "link First", "button Second", "link Third"))
		if string(result.Value) != `"/third"` {
			t.Errorf("came to %s", result.Value)
		}
		wantFailure(t, b.Try(t, tabs(base, "/hidden-focus", "link First")), "journey", "does not show that it has the focus")
		wantFailure(t, b.Try(t, tabs(base, "/", "heading Größe")), "journey", "the focus does not come to")
	})
	t.Run("an allowed origin", func(t *testing.T) {
		j := visit("/origin")
		j.Origins = []string{other}
		b.Run(t, j)
	})
	t.Run("planted faults", func(t *testing.T) {
		for path, want := range map[string]struct{ kind, text string }{
			"/console": {"console", "planted"}, "/page": {"page", "planted"}, "/policy": {"policy", "style-src"},
			"/origin": {"origin", other}, "/missing-script": {"console", "404"},
		} {
			wantFailure(t, b.Try(t, visit(path)), want.kind, want.text)
		}
		audit := Journey{Name: "audit", Base: base, Args: map[string]any{"paths": []string{"/axe"}}}
		wantFailure(t, b.Try(t, audit), "axe", "image-alt")
		audit.Args = map[string]any{"paths": []string{"/wide"}}
		wantFailure(t, b.Try(t, audit), "reflow", "320")
	})
	t.Run("a layout shift", func(t *testing.T) {
		if result := b.Run(t, visit("/shift")); result.Shift() < 0.02 {
			t.Errorf("the shift is %g", result.Shift())
		}
	})
	t.Run("no such journey", func(t *testing.T) {
		wantFailure(t, b.Try(t, Journey{Name: "nowhere", Base: base}), "journey", "nowhere.mjs")
	})
}

// tabs is a walk by keyboard to elements, each by its role and name.
func tabs(base, path string, elements ...string) Journey {
	var stops []map[string]string
	for _, element := range elements {
		role, name, _ := strings.Cut(element, " ")
		stops = append(stops, map[string]string{"role": role, "name": name})
	}
	return Journey{Name: "tabs", Base: base, Args: map[string]any{"path": path, "stops": stops}}
}

// wantGood checks the measurements of the good page.
func wantGood(t *testing.T, result Result) {
	t.Helper()
	if result.Shift() > 0 {
		t.Errorf("the shift is %g", result.Shift())
	}
	if want := `{"status":200,"title":"Litfass"}`; string(result.Value) != want {
		t.Errorf("the journey returned %s, want %s", result.Value, want)
	}
	i := slices.IndexFunc(result.Requests, func(r Request) bool { return r.Type == "script" })
	if i < 0 || result.Requests[i].Bytes == 0 || result.Requests[i].Bytes > len(files["/script.js"])/10 {
		t.Errorf("the script by gzip is missing in %+v", result.Requests)
	}
}

// wantFailure checks that a result has a failure of a kind with this text.
func wantFailure(t *testing.T, result Result, kind, text string) {
	t.Helper()
	if !slices.ContainsFunc(result.Failures, func(f Failure) bool { return f.Kind == kind && strings.Contains(f.Text, text) }) {
		t.Errorf("no %s failure with %q among %v", kind, text, result.Failures)
	}
}
