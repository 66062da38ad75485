package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/deploy/e2e/client"
	"litfass/deploy/local/stack"
)

const (
	accountsMade    = 20
	accountPassword = "correct horse battery"
	loadLasting     = 5 * time.Second
	refusals        = 200 // logins of each kind
	crowd           = 200 // concurrent logins
)

// accounts is a load on the account operations of one stack, sent without the gateway.
type accounts struct {
	*stack.Stack
	client *client.Client
	asked  atomic.Int64
}

// measureAccounts measures logins, reads of a logged-in user, and the memory of many concurrent
// logins. It uses its own stack, whose login limit allows many logins from one machine.
func (b *bench) measureAccounts(ctx context.Context) (err error) {
	s, err := stack.New(ctx, stack.Options{Env: []string{"LOGIN_ATTEMPTS=1000000", "RATE_LIMITS=off"}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Start(ctx); err != nil {
		return err
	}
	a := &accounts{Stack: s, client: client.New(s.ServiceURL(stack.Admin), crowd)}
	for n := range accountsMade {
		create := s.Command(ctx, stack.Admin, "user", "create", accountEmail(n), "--password-stdin")
		create.Stdin = strings.NewReader(accountPassword + "\n")
		if output, err := create.CombinedOutput(); err != nil {
			return fmt.Errorf("admin user create: %w\n%s", err, output)
		}
	}
	hash, err := a.hashParameters(ctx)
	if err != nil {
		return err
	}
	for _, load := range []struct {
		name    string
		clients int
		work    func(context.Context) error
	}{
		{"logins (argon2id " + hash + ")", connections, a.login},
		{"profile reads", connections, a.reads()},
	} {
		if err := b.measureLoad(ctx, a, load.name, load.clients, load.work); err != nil {
			return fmt.Errorf("%s: %w", load.name, err)
		}
	}
	if err := b.measureRefusals(ctx, a); err != nil {
		return fmt.Errorf("refused logins: %w", err)
	}
	return b.measureCrowd(ctx, a)
}

func accountEmail(n int) string { return fmt.Sprintf("person%d@example.org", n) }

const selectHashParameters = `
SELECT split_part(password_hash, '$', 4)
FROM app_user
LIMIT 1`

// hashParameters returns the cost of a stored password: memory in KiB, passes, threads.
func (a *accounts) hashParameters(ctx context.Context) (parameters string, err error) {
	conn, err := pgx.Connect(ctx, a.DatabaseURL())
	if err != nil {
		return "", err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	err = conn.QueryRow(ctx, selectHashParameters).Scan(&parameters)
	return parameters, err
}

// measureLoad reports the requests answered in a second with the given number of clients that each
// wait for their answers, and the CPU time of the service for each.
func (b *bench) measureLoad(ctx context.Context, a *accounts, name string, clients int, work func(context.Context) error) error {
	pid := a.Process(stack.Admin).PID()
	before, err := cpuTime(pid)
	if err != nil {
		return err
	}
	done, err := repeat(ctx, load{clients: clients, going: lasting(b.span(loadLasting)), work: work})
	if err != nil {
		return err
	}
	after, err := cpuTime(pid)
	if err != nil {
		return err
	}
	b.report.add("accounts", name, done.perSecond(), "requests/s")
	b.report.add("accounts", "CPU of admin, "+name, float64((after-before).Microseconds())/1000/float64(len(done.took)), "ms/request")
	return nil
}

// login logs a user in.
func (a *accounts) login(ctx context.Context) error {
	_, err := a.loggedIn(ctx)
	return err
}

// errBusy is admin's error for a login that waited too long for its turn.
var errBusy = errors.New("too many people are logging in")

// loggedIn logs a user in and returns the access token.
func (a *accounts) loggedIn(ctx context.Context) (token string, err error) {
	body, err := json.Marshal(map[string]string{
		"email": accountEmail(int(a.asked.Add(1) % accountsMade)), "password": accountPassword,
	})
	if err != nil {
		return "", err
	}
	answer, err := a.client.Post(ctx, "/api/login", "application/json", body)
	switch {
	case err != nil:
		return "", err
	case answer.Status == http.StatusServiceUnavailable:
		return "", errBusy
	case answer.Status != http.StatusOK:
		return "", fmt.Errorf("login: %d %s", answer.Status, answer.Body)
	}
	var tokens struct {
		Access string `json:"access_token"`
	}
	err = json.Unmarshal(answer.Body, &tokens)
	return tokens.Access, err
}

// reads returns a function that reads the profile of a user, who is logged in before the first
// read.
func (a *accounts) reads() func(context.Context) error {
	var token atomic.Value
	return func(ctx context.Context) error {
		bearer, _ := token.Load().(string)
		if bearer == "" {
			var err error
			if bearer, err = a.loggedIn(ctx); err != nil {
				return err
			}
			token.Store(bearer)
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.client.Base+"/api/admin/user/profile", http.NoBody)
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+bearer)
		response, err := a.client.HTTP.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("profile: %s", response.Status)
		}
		var profile struct {
			Email string `json:"email"`
		}
		return json.NewDecoder(response.Body).Decode(&profile)
	}
}

// measureRefusals compares the duration of two logins that must not be distinguishable: with an
// unknown address, and with a wrong password. Their order is random, so that other work of the
// machine, such as garbage collection, affects both.
func (b *bench) measureRefusals(ctx context.Context, a *accounts) error {
	var unknown, wrong durations
	for _, n := range rand.Perm(2 * b.some(refusals)) {
		of, email := &unknown, fmt.Sprintf("unknown%d@example.org", n)
		if n%2 == 0 {
			of, email = &wrong, accountEmail(n/2%accountsMade)
		}
		took, err := a.refused(ctx, email)
		if err != nil {
			return err
		}
		*of = append(*of, took)
	}
	withoutAccount, withAccount := unknown.percentile(50), wrong.percentile(50)
	b.report.add("accounts", "login, unknown address, p50", withoutAccount, "ms")
	b.report.add("accounts", "login, wrong password, p50", withAccount, "ms")
	b.report.add("accounts", "login, unknown address beside wrong password", withoutAccount/withAccount, "ratio")
	return nil
}

// refused returns how long a login with a wrong password takes.
func (a *accounts) refused(ctx context.Context, email string) (time.Duration, error) {
	body, err := json.Marshal(map[string]string{"email": email, "password": "wrong " + accountPassword})
	if err != nil {
		return 0, err
	}
	started := time.Now()
	answer, err := a.client.Post(ctx, "/api/login", "application/json", body)
	took := time.Since(started)
	if err != nil {
		return 0, err
	}
	if answer.Status != http.StatusUnauthorized {
		return 0, fmt.Errorf("login: %d %s", answer.Status, answer.Body)
	}
	return took, nil
}

// measureCrowd logs all users in concurrently. A login that waits too long for its turn is refused
// with a retry.
func (b *bench) measureCrowd(ctx context.Context, a *accounts) error {
	pid := a.Process(stack.Admin).PID()
	before, err := peakMB(pid)
	if err != nil {
		return err
	}
	crowd := b.some(crowd)
	took, busy := make(durations, crowd), atomic.Int64{}
	var first failure
	atOnce(crowd, func(n int) {
		started := time.Now()
		err := a.login(ctx)
		took[n] = time.Since(started)
		switch {
		case errors.Is(err, errBusy):
			busy.Add(1)
		case err != nil:
			first.note(err)
		}
	})
	if err := first.err(); err != nil {
		return err
	}
	after, err := peakMB(pid)
	if err != nil {
		return err
	}
	b.report.add("accounts", fmt.Sprintf("%d logins at once, p50", crowd), took.percentile(50), "ms")
	b.report.add("accounts", fmt.Sprintf("%d logins at once, most", crowd), took.percentile(100), "ms")
	b.report.add("accounts", fmt.Sprintf("%d concurrent logins, refused with a retry", crowd), float64(busy.Load()), "")
	b.report.add("memory", "admin before them, peak", before, "MB")
	b.report.aimed("memory", fmt.Sprintf("admin after %d logins at once, peak", crowd), after, "MB", atMost(150))
	return nil
}
