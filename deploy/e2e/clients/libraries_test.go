package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	litfass "litfass/deploy/clients/go"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// TestLibraries builds, packs and uses the client libraries as their users do, on one stack.
func TestLibraries(t *testing.T) {
	s := harness.Ready(t, harness.Run(t, stack.Options{Env: []string{"WEBHOOK_NETWORKS=127.0.0.0/8"}}))
	editor := s.SignUp(t, "clients@example.org")
	s.MustRun(t, stack.Admin, "user", "promote", editor.Email)
	editor = s.LogInAs(t, editor.Email)
	p := buildPackage(t)
	at := publish(t, editor)
	t.Run("go walk", func(t *testing.T) { walk(t, s.URL(), at) })
	t.Run("typescript walk", func(t *testing.T) {
		p.node(t, "walk.js", "BASE="+s.URL(), "EVENT="+at.event, "VENUE="+at.venue, "POSITION="+at.position)
	})
	t.Run("webhooks", func(t *testing.T) { verifyNotifications(t, editor, p) })
	t.Run("mirrors", func(t *testing.T) { mirrors(t, s, p) })
	t.Run("package", func(t *testing.T) { p.check(t) })
	t.Run("examples", func(t *testing.T) { p.checkExamples(t); checkGoExamples(t, p.root) })
}

// released is an event that was just released.
type released struct{ event, venue, position string }

// publish releases an event with three dates.
func publish(t *testing.T, editor harness.Editor) released {
	t.Helper()
	org := fmt.Sprint(editor.Write(t, http.MethodPut, "/organization", `{"name": "Verein"}`)["uuid"])
	venue := fmt.Sprint(editor.Write(t, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Saal", "city": "Kiel"}`, org))["uuid"])
	created, position := editor.Change(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "venue_uuid": %q,
		"title": "Konzert", "release_status": "released", "event_types": [{"type_id": 1, "genre_id": 1003}], "dates": [
		{"start_date": "2036-03-05", "start_time": "20:00"}, {"start_date": "2036-03-06", "start_time": "20:00"},
		{"start_date": "2036-03-07", "start_time": "20:00"}]}`, org, venue))
	return released{fmt.Sprint(created["uuid"]), venue, strconv.FormatUint(position, 10)}
}

// walk reads a running service in every way that the Go client has.
func walk(t *testing.T, base string, at released) {
	t.Helper()
	ctx, c := t.Context(), litfass.New(base)
	of := litfass.Filter{EventUUIDs: []string{at.event}}
	found, err := c.At(at.position).Search(ctx, litfass.Search{
		Filter: of, Paged: litfass.Paged{Words: "konzert", Total: true}, Facets: []string{"city"},
	})
	if err != nil || *found.Total != 3 || found.Facets.Facets["city"][0].Value != "Kiel" || found.Position < at.position {
		t.Fatalf("search: %+v, %v", found, err)
	}
	var slugs []string
	for date, err := range c.Dates(ctx, litfass.Search{Filter: of, Paged: litfass.Paged{Limit: 2}}) {
		if err != nil || date.Title != "Konzert" {
			t.Fatalf("dates: %+v, %v", date, err)
		}
		slugs = append(slugs, date.DateSlug)
	}
	if want := []string{"2036-03-05-2000", "2036-03-06-2000", "2036-03-07-2000"}; !slices.Equal(slugs, want) {
		t.Errorf("dates: %q, want %q", slugs, want)
	}
	event, err := c.Event(ctx, at.event, "de")
	if err != nil || len(event.Dates) != 3 || event.EventTypes[0].TypeName != "Konzert" {
		t.Fatalf("event: %+v, %v", event, err)
	}
	if venue, err := c.Venue(ctx, at.venue); err != nil || venue.City != "Kiel" {
		t.Errorf("venue: %+v, %v", venue, err)
	}
	venues, err := c.Venues(ctx, litfass.VenueSearch{VenueUUIDs: []string{at.venue}})
	if err != nil || venues.Total != 1 || venues.Venues[0].Name != "Saal" {
		t.Errorf("venues: %+v, %v", venues, err)
	}
	organization, err := c.Organization(ctx, event.OrgUUID)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := c.Organizations(ctx, litfass.OrganizationSearch{Search: organization.Name}); err != nil || all.Total != 1 {
		t.Errorf("organizations: %+v, %v", all, err)
	}
	if typed, err := c.Suggest(ctx, "konz", 3); err != nil || typed.Suggestions[0].UUID != at.event {
		t.Errorf("suggestions: %+v, %v", typed, err)
	}
	many := litfass.FacetsQuery{Filter: litfass.Filter{EventUUIDs: slices.Repeat(of.EventUUIDs, 150)}, By: []string{"city"}} // by POST
	if counts, err := c.Facets(ctx, many); err != nil || counts.Total != 3 {
		t.Errorf("facets: %+v, %v", counts, err)
	}
	refusals(t, c, at.position)
}

// refusals asks for what must be refused.
func refusals(t *testing.T, c *litfass.Client, position string) {
	t.Helper()
	var failure *litfass.Error
	_, err := c.Search(t.Context(), litfass.Search{Paged: litfass.Paged{Limit: 1000}})
	if !errors.As(err, &failure) || failure.Kind != litfass.Invalid || failure.Status != 400 || failure.Details[0].Field != "limit" {
		t.Errorf("a limit of 1000: %v", err)
	}
	c.Retries = 0
	_, err = c.At("9"+position).Search(t.Context(), litfass.Search{})
	if !errors.As(err, &failure) || failure.Kind != litfass.NotYetApplied {
		t.Errorf("a position to come: %v", err)
	}
}

// verifyNotifications verifies a notification that the service sends, before and while its secret
// is exchanged, in both languages.
func verifyNotifications(t *testing.T, editor harness.Editor, p tsPackage) {
	t.Helper()
	received := make(chan *http.Request, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		received <- r
	}))
	t.Cleanup(receiver.Close)
	made := editor.Write(t, http.MethodPost, "/webhooks", fmt.Sprintf(`{"name": "Hook", "url": %q, "types": ["venue.updated"]}`, receiver.URL))
	hook, first := fmt.Sprint(made["uuid"]), fmt.Sprint(made["secret"])
	second := ""
	for _, both := range []bool{false, true} {
		if both {
			second = fmt.Sprint(editor.Write(t, http.MethodPost, "/webhook/"+hook+"/secret", "")["secret"])
		}
		editor.Write(t, http.MethodPost, "/webhook/"+hook+"/test", "")
		request := <-received
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Fatal(err)
		}
		secrets := map[string]bool{first: true, second: both, "whsec_b3RoZXI=": false}
		delete(secrets, "")
		for secret, fits := range secrets {
			n, err := litfass.Verifier{Secrets: []string{secret}}.Verify(request.Header, body)
			if fits && (err != nil || n.Type != "webhook.test" || n.ID == "") || !fits && !errors.Is(err, litfass.ErrWrongSignature) {
				t.Errorf("both %t, fits %t: %+v, %v", both, fits, n, err)
			}
			headers := map[string]string{}
			for name := range request.Header {
				headers[name] = request.Header.Get(name)
			}
			stdin, err := json.Marshal(map[string]any{"headers": headers, "body": string(body)})
			if err != nil {
				t.Fatal(err)
			}
			output, err := p.command(t, string(stdin), "built/receive.js", secret).CombinedOutput()
			if fits != (err == nil) || fits && string(output) != "webhook.test "+hook+"\n" || !fits && !bytes.Contains(output, []byte("no signature")) {
				t.Errorf("both %t, fits %t: %s, %v", both, fits, output, err)
			}
		}
	}
}

// tsPackage is a copy of the TypeScript package, built.
type tsPackage struct{ root, folder string }

// buildPackage copies the package and the document that its types are generated of, builds it and
// runs its own tests.
func buildPackage(t *testing.T) tsPackage {
	t.Helper()
	root, err := stack.FindRoot()
	if err != nil {
		t.Fatal(err)
	}
	const source, document = "deploy/clients/typescript", "services/query/internal/api/openapi/openapi.yaml"
	top := t.TempDir()
	p := tsPackage{root, filepath.Join(top, source)}
	files, err := exec.CommandContext(t.Context(), "git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard",
		source, document).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range strings.Fields(string(files)) {
		content, err := os.ReadFile(filepath.Join(root, file))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(top, file)), 0o750)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(top, file), content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	at := workshop{folder: p.folder}
	at.run(t, "", "npm", "ci", "--ignore-scripts", "--prefer-offline", "--loglevel=error")
	at.run(t, "", "npm", "pack", "--loglevel=error") // which builds
	at.run(t, "", "npm", "test", "--silent")
	return p
}

func (p tsPackage) command(t *testing.T, stdin string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", args...)
	cmd.Dir, cmd.Stdin = p.folder, strings.NewReader(stdin)
	return cmd
}

// node runs a program of the tests, which must succeed.
func (p tsPackage) node(t *testing.T, program string, env ...string) {
	t.Helper()
	cmd := p.command(t, "", filepath.Join("built", program))
	cmd.Env = append(os.Environ(), env...)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, output)
	}
}

// check checks what is published: the program with its types, and neither sources nor dependencies.
func (p tsPackage) check(t *testing.T) {
	t.Helper()
	want := []string{"LICENSE", "README.md", "package.json"}
	sources, err := fs.Glob(os.DirFS(p.folder), "src/*.ts")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		name := "dist/" + strings.TrimSuffix(filepath.Base(source), ".ts")
		want = append(want, name+".js", name+".d.ts")
	}
	listed := exec.CommandContext(t.Context(), "npm", "pack", "--dry-run", "--json", "--ignore-scripts")
	listed.Dir = p.folder
	output, err := listed.Output()
	if err != nil {
		t.Fatal(err)
	}
	var packed []struct {
		Name, Version string
		Files         []struct{ Path string }
	}
	if err := json.Unmarshal(output, &packed); err != nil || len(packed) != 1 {
		t.Fatalf("npm pack: %s, %v", output, err)
	}
	var got []string
	for _, file := range packed[0].Files {
		got = append(got, file.Path)
	}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("the package has the files %q, want %q", got, want)
	}
	content, err := os.ReadFile(filepath.Join(p.folder, "package.json"))
	if err != nil || bytes.Contains(content, []byte(`"dependencies"`)) {
		t.Errorf("the package has dependencies, or %v", err)
	}
}

// block matches an example in a README, with its language.
var block = regexp.MustCompile("(?ms)^```(ts|go)\n(.*?)^```$")

// examples returns the examples of a README.
func examples(t *testing.T, path string) (all []string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range block.FindAllSubmatch(content, -1) {
		all = append(all, string(match[2]))
	}
	if len(all) < 3 {
		t.Fatalf("%s has %d examples: is the pattern right?", path, len(all))
	}
	return all
}

// checkExamples type-checks the examples of the README in an empty folder that has only the packed
// package, as a user's.
func (p tsPackage) checkExamples(t *testing.T) {
	t.Helper()
	user := workshop{folder: t.TempDir()}
	packed, err := filepath.Glob(filepath.Join(p.folder, "litfass-*.tgz"))
	if err != nil || len(packed) != 1 {
		t.Fatalf("packed: %q, %v", packed, err)
	}
	files := map[string]string{
		"package.json": `{"type": "module"}`,
		"tsconfig.json": `{"include": ["*.ts"], "compilerOptions": {"strict": true, "exactOptionalPropertyTypes": true, "noEmit": true,
			"target": "es2022", "module": "nodenext", "moduleDetection": "force", "types": ["node"],
			"typeRoots": ["` + filepath.Join(p.folder, "node_modules", "@types") + `"]}}`,
	}
	for n, example := range examples(t, filepath.Join(p.folder, "README.md")) {
		files[fmt.Sprintf("example%d.ts", n)] = example
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(user.folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	user.run(t, "", "npm", "install", "--offline", "--ignore-scripts", "--loglevel=error", packed[0])
	user.run(t, "", "node", filepath.Join(p.folder, "node_modules", "typescript", "bin", "tsc"), "-p", ".")
}

// checkGoExamples compiles the examples of the README of the Go client, each a program in a module
// that requires the client only.
func checkGoExamples(t *testing.T, root string) {
	t.Helper()
	folder := filepath.Join(root, "deploy", "clients", "go")
	user := workshop{folder: t.TempDir()}
	files := map[string]string{"go.mod": "module example\n\ngo 1.26.0\n\nrequire litfass/deploy/clients/go v0.0.0\n\nreplace litfass/deploy/clients/go => " + folder + "\n"}
	for n, example := range examples(t, filepath.Join(folder, "README.md")) {
		files[fmt.Sprintf("example%d/main.go", n)] = example
	}
	for name, content := range files {
		path := filepath.Join(user.folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	user.run(t, "", "go", "vet", "./...")
}
