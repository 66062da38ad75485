package console

import (
	"net/http"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"litfass/deploy/e2e/harness"
	"litfass/pkg/chassis/lane"
)

// lookedAtOnce is how many pages a journey looks at.
const lookedAtOnce = 12

// testLook looks at every page of the console with axe, light and dark, narrow and wide, with
// hostile texts, and at the states that pages get into: errors, conflicts, reports, nothing to
// show. The lane of the merge looks at each page narrow, in light.
func (c *consoleTest) testLook(t *testing.T) {
	empty := c.newWaiting(t)
	c.Report(t, c.scene.event)
	paths := map[string][]string{"": openPages}
	for _, page := range c.scene.pages() {
		if !page.part {
			paths[page.viewer()] = append(paths[page.viewer()], page.path)
		}
	}
	for role, some := range paths {
		for once := range slices.Chunk(some, lookedAtOnce) {
			c.runAs(t, role, "console-look", map[string]any{"paths": once, "brief": !lane.Long()})
		}
	}
	groups := []struct{ name, role string }{
		{"visitor", ""}, {"administrator", "administrator"}, {"stranger", "stranger"}, {"owner", "owner"}, {"event", "owner"},
	}
	for _, group := range groups {
		c.runAs(t, group.role, "console-states", map[string]any{"group": group.name, "org": c.scene.org, "empty": empty, "brief": !lane.Long()})
	}
}

// newWaiting makes an organization of the stranger that has nothing and waits for its approval, as
// where platforms approve organizations.
func (c *consoleTest) newWaiting(t *testing.T) (uuid string) {
	t.Helper()
	uuid = made(c.scene.editors["stranger"].Write(t, http.MethodPut, "/organization", encoded(t, harness.Line{"name": "Neu " + harness.Payloads[:100]})))
	database, err := pgx.Connect(t.Context(), c.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	const wait = `INSERT INTO organization_approval (org_uuid, state, asked_at) VALUES ($1, 'pending', now())`
	if _, err := database.Exec(t.Context(), wait, uuid); err != nil {
		t.Error(err)
	}
	if err := database.Close(t.Context()); err != nil {
		t.Error(err)
	}
	return uuid
}

// runAs walks a journey as a person who is logged in; "" as a visitor.
func (c *consoleTest) runAs(t *testing.T, role, name string, args map[string]any) {
	t.Helper()
	j := c.journey(name, true, args)
	if role != "" {
		j.Context["storageState"] = c.states[role]
	}
	c.run(t, j)
}
