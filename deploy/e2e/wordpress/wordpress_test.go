//go:build wordpress

package wordpress

import (
	"bytes"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"litfass/deploy/e2e/browser"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// scene is a WordPress that shows events of a stack.
type scene struct {
	*host
	site *front
}

// TestInWordPress uses the plugin in WordPress: first as a new user does in a browser, then under
// everything that a site, an author and a visitor can do to it.
func TestInWordPress(t *testing.T) {
	system := harness.Ready(t, harness.Run(t, stack.Options{Demo: true}))
	s := scene{host: startHost(t), site: startFront(t, system.URL())}
	t.Run("code", s.lint)
	if !t.Run("journey", s.journey) {
		t.Fatal("the plugin is not installed")
	}
	for _, part := range []struct {
		name string
		test func(t *testing.T)
	}{
		{"nothing is lost", s.nothingIsLost},
		{"shortcode", s.shortcode},
		{"attributes", s.hostileAttributes},
		{"store", s.store},
		{"failures", s.failures},
		{"one refreshes", s.oneRefreshes},
		{"stale for a week", s.staleForAWeek},
		{"no list yet", s.noListYet},
		{"hostile site", s.hostileSite},
		{"refused", s.refused},
		{"language", s.language},
		{"rights", s.rights},
		{"uninstall", s.uninstall}, // the last
	} {
		t.Run(part.name, part.test)
	}
	if len(s.site.strayed) > 0 {
		t.Errorf("another server was asked for %q", s.site.strayed)
	}
	log, _ := os.ReadFile(filepath.Join(s.folder, "debug.log")) // absent without findings
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, "plugins/litfass") {
			t.Errorf("PHP reports: %s", line)
		}
	}
}

// lint has PHP read every file.
func (s scene) lint(t *testing.T) {
	err := fs.WalkDir(plugin(t), ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".php" {
			copied := filepath.Join(t.TempDir(), "file.php")
			if err := os.WriteFile(copied, []byte(read(t, plugin(t), name)), 0o600); err != nil {
				return err
			}
			s.run(t, "php", "-l", copied)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func (s scene) journey(t *testing.T) {
	var archive bytes.Buffer
	if err := Pack(plugin(t), &archive); err != nil {
		t.Fatal(err)
	}
	root, err := stack.FindRoot()
	if err != nil {
		t.Fatal(err)
	}
	file, pictures := filepath.Join(s.folder, "litfass.zip"), filepath.Join(root, ".local", "wordpress")
	if err := os.WriteFile(file, archive.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(pictures, 0o750); err != nil {
		t.Fatal(err)
	}
	browser.Start(t).Run(t, browser.Journey{Name: "wordpress", Base: s.url, Args: map[string]any{
		"zip": file, "litfass": s.site.url, "user": adminName, "password": adminPassword, "city": "Kiel", "category": "Culture", "folder": pictures,
	}})
	t.Logf("pictures are in %s", pictures)
}

// nothingIsLost: pages take over every view of the site as it is.
func (s scene) nothingIsLost(t *testing.T) {
	for _, view := range []string{"list", "week", "month"} {
		address := s.site.url + "/embed?format=fragment&lang=de&heading=A+%26+%22B%22&limit=50&view=" + view
		result := s.php(t, "$body = wp_remote_retrieve_body( wp_remote_get( "+phpText(address)+" ) );\n"+
			"$clean = Litfass\\clean_html( $body );\n"+
			"$same = html_entity_decode( $clean, ENT_QUOTES | ENT_HTML5 ) === html_entity_decode( $body, ENT_QUOTES | ENT_HTML5 );\n"+
			"echo $same ? strlen( $body ) > 1000 ? 'same' : \"short: $body\" : \"$body\\n\\n$clean\";")
		if result != "same" {
			t.Errorf("%s: %s", view, result)
		}
	}
}

// shortcode: all parameters of a list can be set, also by the address of a list.
func (s scene) shortcode(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"plain":   {`[litfass city="Kiel" view="week" limit=3 heading="A &amp; B" heading_level="4"]`, "city=Kiel&format=fragment&heading=A+%26+B&heading_level=4&lang=en&limit=3&view=week"},
		"lists":   {`[litfass categories="1, 2" portal="kiel" lang="da"]`, "categories=1%2C+2&format=fragment&lang=da&portal=kiel"},
		"filter":  {`[litfass city="Kiel" filter="https://other.example/?tags=a&tags=b&city=Husum&format=html#x"]`, "city=Kiel&format=fragment&lang=en&tags=a%2Cb"},
		"nothing": {`[litfass]`, "format=fragment&lang=en"},
	} {
		s.site.behave(well)
		page := s.visit(t, s.write(t, "shortcode-"+name, c.content))
		asked := s.site.wasAsked()
		if len(asked) != 1 || query(t, asked[0]) != c.want {
			t.Errorf("%s asks for %q, want %q", name, asked, c.want)
		}
		if strings.Count(page, "block/style.css") != 1 || strings.Contains(page, "block/editor.js") {
			t.Errorf("%s: the page does not have the styles once and no script", name)
		}
	}
}

// query returns the parameters of an address of a fragment in alphabetical order.
func query(t *testing.T, address string) string {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil || parsed.Path != "/embed" {
		t.Errorf("%q is not the address of a fragment: %v", address, err)
		return ""
	}
	return parsed.Query().Encode()
}

// hostileAttributes can neither lead to another host or page nor write anything else into the page.
func (s scene) hostileAttributes(t *testing.T) {
	for name, content := range map[string]string{
		"host": `[litfass address="OTHER" site="OTHER" url="OTHER" base="OTHER" filter="OTHER/embed?format=html&city=Kiel"]`,
		"path": `[litfass city="../../api/admin" portal="/../../x" format="html" filter="@OTHER/#?/embed"]`,
		"html": `[litfass heading="&lt;script&gt;bad()&lt;/script&gt;&lt;img src=x onerror=bad()&gt;" city='"&gt;&lt;script&gt;bad()&lt;/script&gt;']`,
		"text": `[litfass search="%0d%0aHost: OTHER" lang="de&x=1" limit="1&format=html" heading='" onmouseover="bad()']`,
		"long": `[litfass search="` + strings.Repeat("x", 100_000) + `"]`,
		"name": `[litfass format[]="html" 0="1" "OTHER" =OTHER constructor="1" onclick="bad()"]`,
	} {
		s.site.behave(well)
		page := s.visit(t, s.write(t, "hostile-"+name, strings.ReplaceAll(content, "OTHER", s.site.other)))
		for _, asked := range s.site.wasAsked() {
			if len(asked) > 10_000 || !strings.Contains("&"+query(t, asked)+"&", "&format=fragment&") {
				t.Errorf("%s asks for %.300s", name, asked)
			}
		}
		if found := scripted(t, page); found != "" {
			t.Errorf("%s writes %s", name, found)
		}
		if name == "html" && !strings.Contains(page, "&lt;script&gt;bad()") {
			t.Error("the heading is not shown as text")
		}
	}
}

// scripted returns what of a page would run bad(), "" for nothing.
func scripted(t *testing.T, page string) string {
	t.Helper()
	document, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for node := range document.Descendants() {
		if node.Type == html.TextNode && node.Parent.Data == "script" && strings.Contains(node.Data, "bad()") {
			return "a script"
		}
		for _, attribute := range node.Attr {
			if strings.HasPrefix(attribute.Key, "on") && strings.Contains(attribute.Val, "bad()") {
				return attribute.Key
			}
		}
	}
	return ""
}

// store: visitors get the stored answer while it is fresh.
func (s scene) store(t *testing.T) {
	s.site.behave(well)
	path := s.write(t, "store", `[litfass city="Kiel" limit="4"]`)
	first, second := dates(s.visit(t, path)), dates(s.visit(t, path))
	if asked := s.site.wasAsked(); len(asked) != 1 || len(first) == 0 || !slices.Equal(first, second) {
		t.Errorf("%d requests for %q and %q", len(asked), first, second)
	}
}

var dateOf = regexp.MustCompile(`data-date="([0-9a-f-]+)"`)

// dates returns the dates that a page shows.
func dates(page string) (shown []string) {
	for _, found := range dateOf.FindAllStringSubmatch(page, -1) {
		shown = append(shown, found[1])
	}
	return shown
}

// age makes every stored answer one that must be fetched again, as if it was fetched some seconds
// ago.
func (s scene) age(t *testing.T, seconds string) {
	t.Helper()
	s.php(t, `global $wpdb;
foreach ( $wpdb->get_col( "SELECT option_name FROM {$wpdb->options} WHERE option_name LIKE '\\_transient\\_litfass\\_%'" ) as $name ) {
	$stored = get_option( $name );
	$stored['until'] = time() - 1;
	$stored['answer']['time'] -= `+seconds+`;
	update_option( $name, $stored );
}
$wpdb->query( "DELETE FROM {$wpdb->options} WHERE option_name LIKE 'litfass\\_lock\\_%'" );`)
}

// failures: however the site fails, visitors see the last list, and the site is left in peace.
func (s scene) failures(t *testing.T) {
	s.site.behave(well)
	path := s.write(t, "failures", `[litfass city="Kiel" limit="5"]`)
	want := dates(s.visit(t, path))
	for name, how := range map[string]behaviour{"down": down, "busy": busy, "alien": alien, "elsewhere": elsewhere} {
		s.age(t, "600")
		s.site.behave(how)
		for range 3 {
			if page := s.visit(t, path); !slices.Equal(dates(page), want) || strings.Contains(page, "litfass-note") {
				t.Errorf("%s: visitors see %q, not %q", name, dates(page), want)
			}
		}
		if asked := s.site.wasAsked(); len(asked) != 1 {
			t.Errorf("%s: the site was asked %d times for three pages", name, len(asked))
		}
	}
	s.age(t, "86400")
	s.site.behave(down)
	if page := s.visit(t, path); !strings.Contains(page, `<p class="litfass-of">List of `) {
		t.Error("yesterday's list has no date")
	}
	s.age(t, "0")
	s.site.behave(well)
	if page := s.visit(t, path); len(s.site.wasAsked()) != 1 || strings.Contains(page, "litfass-of") {
		t.Error("the site is not asked again")
	}
}

// oneRefreshes: while one request fetches an answer, others show the stored one.
func (s scene) oneRefreshes(t *testing.T) {
	s.site.behave(well)
	path := s.write(t, "one", `[litfass city="Kiel" limit="6"]`)
	want := dates(s.visit(t, path))
	s.age(t, "600")
	s.site.behave(held)
	done := make(chan []string)
	go func() {
		_, page, _ := s.ask(t.Context(), path)
		done <- dates(page)
	}()
	<-s.site.arrived
	for range 3 {
		if got := dates(s.visit(t, path)); !slices.Equal(got, want) {
			t.Errorf("others see %q, not %q", got, want)
		}
	}
	if asked := s.site.wasAsked(); len(asked) != 1 {
		t.Errorf("the site was asked %d times", len(asked))
	}
	close(s.site.released)
	if got := <-done; !slices.Equal(got, want) {
		t.Errorf("the one that fetches sees %q, not %q", got, want)
	}
}

// staleForAWeek: a list that could not be fetched for longer is not shown.
func (s scene) staleForAWeek(t *testing.T) {
	s.site.behave(well)
	path := s.write(t, "week", `[litfass city="Kiel" limit="7"]`)
	s.visit(t, path)
	s.age(t, "6 * DAY_IN_SECONDS")
	s.site.behave(down)
	if len(dates(s.visit(t, path))) == 0 {
		t.Error("a list of six days ago is not shown")
	}
	s.age(t, "2 * DAY_IN_SECONDS")
	if page := s.visit(t, path); len(dates(page)) > 0 || !strings.Contains(page, "All events") {
		t.Error("a list of eight days ago is shown")
	}
}

// noListYet: without any list, visitors see the link to the site.
func (s scene) noListYet(t *testing.T) {
	s.site.behave(down)
	page := s.visit(t, s.write(t, "never", `[litfass city="Never &amp; nowhere" heading="Never" limit="3"]`))
	link := `<a class="litfass-more" href="` + s.site.url + `/?city=Never%20%26%20nowhere&#038;lang=en">All events</a>`
	if !strings.Contains(page, link) || strings.Contains(page, "litfass-note") {
		t.Errorf("the page lacks %s", link)
	}
}

// hostileSite: of a site that was taken over, pages show text and links only.
func (s scene) hostileSite(t *testing.T) {
	s.site.behave(hostile)
	page := s.visit(t, s.write(t, "taken", `[litfass city="taken"]`))
	_, part, found := strings.Cut(page, `<div class="litfass">`)
	part, _, _ = strings.Cut(part, "</section>")
	if !found || !strings.Contains(part, "<h2>Heading</h2>") {
		t.Errorf("the fragment is not shown: %s", part)
	}
	for _, bad := range []string{"<script", "<style", "<iframe", "<img", "<form", "<input", "<svg", "javascript:", "data:", " on", "style=", "target=", "wp-block"} {
		if strings.Contains(part, bad) {
			t.Errorf("%s is shown: %s", bad, part)
		}
	}
}

// refused: visitors see no error of a filter, and people who edit do.
func (s scene) refused(t *testing.T) {
	s.site.behave(well)
	page := s.visit(t, s.write(t, "refused", `[litfass categories="99"]`))
	if !strings.Contains(page, "All events") || strings.Contains(page, "litfass-failed") {
		t.Error("visitors see the error")
	}
	shown := s.php(t, "wp_set_current_user( 1 );\necho do_shortcode( '[litfass categories=\"99\"]' );")
	if !strings.Contains(shown, "does not take this filter") || !strings.Contains(shown, "<code>categories</code>") {
		t.Errorf("people who edit see %s", shown)
	}
}

// language: texts of the plugin and lists follow the language of the page, in all of its countries.
func (s scene) language(t *testing.T) {
	s.site.behave(well)
	for locale, want := range map[string]string{"de_AT": "Alle Veranstaltungen", "da_DK": "Alle arrangementer", "fr_FR": "All events"} {
		s.php(t, "update_option( 'test_locale', '"+locale+"' );")
		s.site.behave(well)
		page := s.visit(t, s.write(t, "language-"+locale[:2], `[litfass categories="98"]`))
		if !strings.Contains(page, ">"+want+"</a>") || !strings.Contains(s.site.wasAsked()[0], "lang="+locale[:2]) {
			t.Errorf("%s: no %q for %q", locale, want, s.site.wasAsked())
		}
		if got := s.php(t, "$block = WP_Block_Type_Registry::get_instance()->get_registered( 'litfass/events' ); echo $block->title;"); locale == "de_AT" && got != "Litfass-Veranstaltungen" {
			t.Errorf("the block is called %q", got)
		}
	}
	s.php(t, "delete_option( 'test_locale' );")
}

// rights: only administrators change settings, with a nonce, and only people who edit see choices.
func (s scene) rights(t *testing.T) {
	before := s.php(t, "echo json_encode( get_option( 'litfass' ) );")
	form := url.Values{"option_page": {"litfass"}, "action": {"update"}, "litfass[address]": {s.site.other}}
	for _, person := range []string{"", "reader", adminName} {
		client := s.logIn(t, person)
		answer, err := client.PostForm(s.url+"/wp-admin/options.php", form)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close() // only its effect counts
		if after := s.php(t, "echo json_encode( get_option( 'litfass' ) );"); after != before {
			t.Errorf("%q has changed the settings without a nonce: %d %s", person, answer.StatusCode, after)
		}
		answer, err = client.Get(s.url + "/wp-json/litfass/v1/choices")
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusUnauthorized { // cookies without a nonce stand for no person
			t.Errorf("%q gets the choices: %d", person, answer.StatusCode)
		}
	}
	for name, code := range map[string]string{
		"reader": "get_user_by( 'login', 'reader' )->ID", "admin": "1",
	} {
		status := s.php(t, "wp_set_current_user( "+code+" );\necho rest_do_request( '/litfass/v1/choices' )->get_status();")
		if want := map[string]string{"reader": "403", "admin": "200"}[name]; status != want {
			t.Errorf("the choices for %s: %s", name, status)
		}
	}
	for _, address := range []string{"ftp://a.example", "javascript:alert(1)", "//a.example", "http://", "http://u:p@a.example", "http://a.example/?x=1", "file:///etc/passwd"} {
		if got := s.php(t, "var_export( Litfass\\site_address( "+phpText(address)+" ) );"); got != "NULL" {
			t.Errorf("%s is stored as %s", address, got)
		}
	}
}

// uninstall removes everything that the plugin has stored.
func (s scene) uninstall(t *testing.T) {
	const rest = "global $wpdb;\necho $wpdb->get_var( \"SELECT count(*) FROM {$wpdb->options} WHERE option_name LIKE '%litfass%'\" );"
	if got := s.php(t, rest); got == "0" {
		t.Error("there was nothing to remove")
	}
	s.php(t, "deactivate_plugins( 'litfass/litfass.php' );\nuninstall_plugin( 'litfass/litfass.php' );")
	if got := s.php(t, rest); got != "0" {
		t.Errorf("%s options are left", got)
	}
}
