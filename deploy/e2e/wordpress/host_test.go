//go:build wordpress

package wordpress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"litfass/deploy/local/proc"
)

// packages install what the test needs on Debian.
const packages = "apt-get install --no-install-recommends wordpress wordpress-theme-twentytwentythree mariadb-server " +
	"php-cli php-mysql php-xml php-mbstring php-curl"

// installed is WordPress as Debian has it.
const installed = "/usr/share/wordpress"

const (
	adminName     = "admin"
	adminPassword = "two unrelated words"
)

// host is a WordPress with a database of its own.
type host struct {
	folder string // its files are in www
	url    string
}

// configuration is wp-config.php. WordPress asks only this machine, and runs no tasks on its own.
const configuration = `<?php
define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', 'localhost:%[1]s/run/sock' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
foreach ( array( 'AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE' ) as $name ) {
	define( $name . '_KEY', 'key of ' . $name );
	define( $name . '_SALT', 'salt of ' . $name );
}
$table_prefix = 'wp_';
define( 'WP_HOME', '%[2]s' );
define( 'WP_SITEURL', '%[2]s' );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'WP_ACCESSIBLE_HOSTS', '127.0.0.1' );
define( 'DISABLE_WP_CRON', true );
define( 'FS_METHOD', 'direct' );
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_LOG', '%[1]s/debug.log' );
define( 'WP_DEBUG_DISPLAY', false );
defined( 'ABSPATH' ) || define( 'ABSPATH', __DIR__ . '/' );
require_once ABSPATH . 'wp-settings.php';
`

// router serves files that exist, and has WordPress answer everything else.
const router = `<?php
$path = $_SERVER['DOCUMENT_ROOT'] . parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH );
if ( is_file( $path ) || ( is_file( rtrim( $path, '/' ) . '/index.php' ) && false !== strpos( $path, 'wp-admin' ) ) ) {
	return false;
}
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
`

// filters let the test choose the language of the site, and keep WordPress from sending mails.
const filters = `<?php
add_filter( 'locale', static function ( $locale ) {
	return get_option( 'test_locale' ) ?: $locale;
} );
add_filter( 'pre_wp_mail', '__return_true' );
`

// install sets WordPress up as its form does.
const install = `define( 'WP_INSTALLING', true );
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install( 'Kulturblog', '` + adminName + `', 'admin@example.org', true, '', '` + adminPassword + `' );
update_option( 'permalink_structure', '/%postname%/' );
wp_insert_user( array( 'user_login' => 'reader', 'user_pass' => '` + adminPassword + `', 'role' => 'subscriber' ) );`

// startHost installs a WordPress and serves it until the test ends.
func startHost(t *testing.T) *host {
	t.Helper()
	for _, program := range []string{"mariadbd", "mariadb-install-db", "mariadb", "php"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("%v; on Debian:\n%s", err, packages)
		}
	}
	if _, err := os.Stat(installed + "/wp-content/themes/twentytwentythree"); err != nil {
		t.Fatalf("%v; on Debian:\n%s", err, packages)
	}
	// Not in TMPDIR, which the user of MariaDB may not be able to enter; sockets have short names.
	folder, err := os.MkdirTemp("/tmp", "litfass-wp-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := proc.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	h := &host{folder: folder, url: "http://127.0.0.1:" + freePort(t)}
	h.startDatabase(t)
	h.run(t, "cp", "-rL", installed, h.folder+"/www")
	h.run(t, "rm", "-rf", h.folder+"/www/wp-content/languages")
	for name, content := range map[string]string{
		"www/wp-config.php": fmt.Sprintf(configuration, h.folder, h.url), "router.php": router, "www/wp-content/mu-plugins/filters.php": filters,
	} {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	h.php(t, install)
	h.start(t, proc.Spec{
		Name: "PHP", Command: []string{"php", "-d", "display_errors=0", "-S", strings.TrimPrefix(h.url, "http://"), "-t", folder + "/www", folder + "/router.php"},
		Env: []string{"PHP_CLI_SERVER_WORKERS=6"}, Ready: func(ctx context.Context) error {
			_, _, err := h.ask(ctx, "/wp-login.php")
			return err
		},
	})
	return h
}

// startDatabase starts MariaDB at a socket, as another user where the test runs as root.
func (h *host) startDatabase(t *testing.T) {
	t.Helper()
	data, run := h.folder+"/data", h.folder+"/run"
	if err := errors.Join(os.Chmod(h.folder, 0o755), os.Mkdir(data, 0o755), os.Mkdir(run, 0o755)); err != nil {
		t.Fatal(err)
	}
	name := "mysql"
	if os.Getuid() == 0 {
		h.run(t, "chown", name, data, run)
	} else {
		own, err := user.Current()
		if err != nil {
			t.Fatal(err)
		}
		name = own.Username
	}
	h.run(t, "mariadb-install-db", "--no-defaults", "--user="+name, "--datadir="+data, "--tmpdir="+run, "--auth-root-authentication-method=normal", "--skip-test-db")
	database := []string{"mariadb", "--no-defaults", "--socket=" + run + "/sock", "--user=root", "-e"}
	h.start(t, proc.Spec{
		Name: "MariaDB", Command: []string{
			"mariadbd", "--no-defaults", "--user=" + name, "--datadir=" + data, "--tmpdir=" + run, "--socket=" + run + "/sock", "--pid-file=" + run + "/pid", "--skip-networking",
		},
		Ready: func(ctx context.Context) error {
			return exec.CommandContext(ctx, database[0], append(database[1:], "select 1")...).Run()
		},
	})
	h.run(t, database[0], append(database[1:], "create database wordpress")...)
}

// start starts a process, which ends with the test.
func (h *host) start(t *testing.T, spec proc.Spec) {
	t.Helper()
	spec.LogFile = filepath.Join(h.folder, spec.Name+".log")
	process := proc.New(spec)
	t.Cleanup(func() {
		if err := process.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if err := errors.Join(process.Start(t.Context()), process.AwaitReady(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// run runs a command, which must succeed, and returns its output.
func (h *host) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, output)
	}
	return string(output)
}

// php runs code within WordPress and returns its output.
func (h *host) php(t *testing.T, code string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "code.php")
	if strings.HasPrefix(code, "define( 'WP_INSTALLING'") { // it must be defined before WordPress is loaded
		first, rest, _ := strings.Cut(code, "\n")
		code = first + "\nrequire '" + h.folder + "/www/wp-load.php';\n" + rest
	} else {
		code = "require '" + h.folder + "/www/wp-load.php';\nrequire_once ABSPATH . 'wp-admin/includes/admin.php';\n" + code
	}
	code = "<?php\n$_SERVER['HTTP_HOST'] = '" + strings.TrimPrefix(h.url, "http://") + "';\n" + code
	if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "php", "-d", "display_errors=0", file)
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, code, output)
	}
	return string(output)
}

// visit reads a page as a visitor who is not logged in; it must be there.
func (h *host) visit(t *testing.T, path string) string {
	t.Helper()
	status, body, err := h.ask(t.Context(), path)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d %v", path, status, err)
	}
	return body
}

// ask reads an address of WordPress.
func (h *host) ask(ctx context.Context, path string) (status int, body string, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.url+path, nil)
	if err != nil {
		return 0, "", err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(content), err
}

// write makes a page with a content, and returns its path.
func (h *host) write(t *testing.T, name, content string) string {
	t.Helper()
	h.php(t, "wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_name' => '"+name+"', 'post_title' => 'Page', "+
		"'post_content' => wp_slash( "+phpText(content)+" ) ) );")
	return "/" + name + "/"
}

// phpText is a text in PHP's code.
func phpText(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}

// freePort returns a port that nothing listens on.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}

// logIn returns a client that is logged in as a person, "" for a visitor.
func (h *host) logIn(t *testing.T, name string) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	if name == "" {
		return client
	}
	form := url.Values{"log": {name}, "pwd": {adminPassword}, "testcookie": {"1"}}
	for range 2 { // the first answer sets the cookie that the form wants
		answer, err := client.PostForm(h.url+"/wp-login.php", form)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close() // its cookies count
	}
	at, err := url.Parse(h.url)
	if err != nil {
		t.Fatal(err)
	}
	for _, cookie := range jar.Cookies(at) {
		if strings.HasPrefix(cookie.Name, "wordpress_logged_in_") {
			return client
		}
	}
	t.Fatalf("%s is not logged in", name)
	return nil
}
