package check

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// linked are the values that the test has linked in, by variable of package run.
var linked = map[string]string{"version": "v1.2.3", "commit": "0123abcd", "date": "2026-11-20T19:30:00Z"}

// linkerFlag matches a flag of the Dockerfile that sets a variable.
var linkerFlag = regexp.MustCompile(`-X litfass/pkg/chassis/run\.([a-z]+)=\$([A-Z]+)`)

// sources are the folders of the programs.
var sources = map[string]string{
	"admin": "../../services/admin", "projector": "../../services/projector", "query": "../../services/query",
	"site": "../../services/site", "console": "../../services/console",
	"local": "../local",
}

// built are the programs that the tests have built, by name, and the folder in which they are.
var built = struct {
	sync.Mutex
	folder string
	paths  map[string]string
}{paths: map[string]string{}}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.folder != "" {
		_ = os.RemoveAll(built.folder) // it is in the folder of temporary files
	}
	os.Exit(code)
}

// buildProgram builds a program with the linker flags of the Dockerfile, once for all tests, and
// returns its path.
func buildProgram(t *testing.T, name string) string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if path := built.paths[name]; path != "" {
		return path
	}
	dockerfile, err := os.ReadFile("../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	flags := []string{"-s", "-w"}
	for _, match := range linkerFlag.FindAllSubmatch(dockerfile, -1) {
		variable := string(match[1])
		if strings.ToUpper(variable) != string(match[2]) {
			t.Errorf("the Dockerfile sets %s from %s", variable, match[2])
		}
		flags = append(flags, "-X litfass/pkg/chassis/run."+variable+"="+linked[variable])
	}
	if built.folder == "" {
		if built.folder, err = os.MkdirTemp("", "litfass-check-"); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(built.folder, name)
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "-ldflags", strings.Join(flags, " "), sources[name])
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	built.paths[name] = program
	return program
}

// engineless is an environment in which a service starts and finds none of its engines.
var engineless = append(os.Environ(), "LISTEN=127.0.0.1:0", "LOG_FORMAT=text", "LOG_LEVEL=info",
	"DATABASE_URL=postgres://litfass:p@127.0.0.1:1/litfass?connect_timeout=1", "NATS_URL=nats://127.0.0.1:1",
	"MEILI_URL=http://127.0.0.1:1", "MEILI_KEY=k", "QUERY_URL=http://127.0.0.1:1", "ADMIN_URL=http://127.0.0.1:1", "MAIL_URL=", "BLOB_URL=",
	"CONSOLE_SECRETS=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")

// TestProgramsNameTheirBuild builds every program as the Dockerfile does. Each prints its build on
// request, and each service logs it first.
func TestProgramsNameTheirBuild(t *testing.T) {
	for name := range sources {
		t.Run(name, func(t *testing.T) {
			program := buildProgram(t, name)
			output, err := exec.CommandContext(t.Context(), program, "--version").Output()
			if err != nil {
				t.Fatal(err)
			}
			first := ""
			if name != "local" {
				first = firstLogLine(t, program)
			}
			for variable, value := range linked {
				if !strings.Contains(string(output), value) {
					t.Errorf("--version prints %q, want the %s %s in it", output, variable, value)
				}
				if name != "local" && !strings.Contains(first, variable+"="+value) {
					t.Errorf("the log begins with %q, want the %s in it", first, variable)
				}
			}
		})
	}
}

// firstLogLine runs a service without engines until it has logged one line.
func firstLogLine(t *testing.T, program string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel() // kills it
	serve := exec.CommandContext(ctx, program, "serve")
	serve.Env = engineless
	log, err := serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(log).ReadString('\n')
	if err != nil {
		t.Fatalf("nothing is logged: %v", err)
	}
	cancel()
	_ = serve.Wait() // killed
	return line
}
