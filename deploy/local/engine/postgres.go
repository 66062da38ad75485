package engine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/deploy/local/proc"
)

// postgresFolder is where PostgreSQL's files are kept below its home.
const postgresFolder = "postgres"

// postgresUserName is the superuser of a local PostgreSQL.
const postgresUserName = "litfass"

// Postgres is a local PostgreSQL on 127.0.0.1.
type Postgres struct {
	BinDir   string
	Version  Version
	Home     Home
	Port     int
	Password string
	LogFile  string
	// Scratch trades durability for speed, for tests.
	Scratch bool
}

// PostgresMajor returns the major version of the data below a home, or 0 without data.
func PostgresMajor(home Home) int {
	content, err := os.ReadFile(filepath.Join(home.Dir, postgresFolder, "data", "PG_VERSION"))
	if err != nil {
		return 0
	}
	major, _ := strconv.Atoi(strings.TrimSpace(string(content)))
	return major
}

// URL returns the address of a database of this server.
func (p Postgres) URL(database string) string {
	address := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(postgresUserName, p.Password),
		Host:     net.JoinHostPort("127.0.0.1", strconv.Itoa(p.Port)),
		Path:     database,
		RawQuery: "sslmode=disable",
	}
	return address.String()
}

// Prepare creates the data folder on the first run. An interrupted creation is not mistaken for
// data later.
func (p Postgres) Prepare(ctx context.Context) error {
	folder := filepath.Join(p.Home.Dir, postgresFolder)
	data := filepath.Join(folder, "data")
	if _, err := os.Stat(data); err == nil {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := p.give(folder); err != nil {
		return err
	}
	unfinished := filepath.Join(folder, "data.new")
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	password := filepath.Join(folder, "password")
	if err := os.WriteFile(password, []byte(p.Password+"\n"), 0o600); err != nil {
		return err
	}
	defer os.Remove(password)
	if err := p.give(password); err != nil {
		return err
	}
	args := append([]string{"-D", unfinished, "-U", postgresUserName, "--pwfile=" + password,
		"--auth=scram-sha-256", "--encoding=UTF8"}, p.locale()...)
	if p.Scratch {
		args = append(args, "--no-sync")
	}
	if err := runAs(ctx, p.Home.User, folder, filepath.Join(p.BinDir, "initdb"), args...); err != nil {
		return err
	}
	return os.Rename(unfinished, data)
}

// locale defines upper and lower case for every letter, independent of the locales installed on the
// machine (PostgreSQL 17 has a suitable one built in).
func (p Postgres) locale() []string {
	if p.Version.Major >= 17 {
		return []string{"--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"}
	}
	return []string{"--locale=C.UTF-8"}
}

// give changes the owner of a file to the user who runs PostgreSQL.
func (p Postgres) give(path string) error {
	if p.Home.User == nil {
		return nil
	}
	return os.Chown(path, p.Home.User.UID, p.Home.User.GID)
}

// Process returns the server as a process of the stack; Prepare comes first.
func (p Postgres) Process() *proc.Process {
	folder := filepath.Join(p.Home.Dir, postgresFolder)
	command := []string{filepath.Join(p.BinDir, "postgres"), "-D", filepath.Join(folder, "data"),
		"-c", "listen_addresses=127.0.0.1",
		"-c", "port=" + strconv.Itoa(p.Port),
		"-c", "unix_socket_directories=",
		"-c", "max_connections=200",
		"-c", "timezone=UTC",
		"-c", "log_timezone=UTC",
		"-c", "log_error_verbosity=terse", // no values of rows that were refused
	}
	if p.Scratch {
		command = append(command, "-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off",
			"-c", "max_connections=1000") // for parallel tests on many cores, each with a pool
	}
	return proc.New(proc.Spec{
		Name:       "PostgreSQL",
		Command:    command,
		Dir:        folder,
		LogFile:    p.LogFile,
		User:       p.Home.User,
		StopSignal: syscall.SIGINT,  // "fast": does not wait for clients to disconnect
		OrphanSig:  syscall.SIGQUIT, // "immediate": also ends its children
		Ready:      func(ctx context.Context) error { return PingPostgres(ctx, p.URL("postgres")) },
	})
}

// CreateDatabase creates a database unless it exists.
func (p Postgres) CreateDatabase(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, p.URL("postgres"))
	if err != nil {
		return fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var exists bool
	err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, name).Scan(&exists)
	if err != nil || exists {
		return err
	}
	_, err = conn.Exec(ctx, `CREATE DATABASE `+pgx.Identifier{name}.Sanitize())
	return err
}

// PingPostgres returns nil when a database answers and has a supported version.
func PingPostgres(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return errors.New(oneLine([]byte(err.Error())))
	}
	defer conn.Close(context.WithoutCancel(ctx))
	version, err := parseVersion(conn.PgConn().ParameterStatus("server_version"))
	if err != nil {
		return err
	}
	return fitPostgres(0)(version)
}
