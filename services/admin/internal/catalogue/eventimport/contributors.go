package eventimport

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/catalogue/valueset"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
)

// contributors finds the contributors that a file names, each once for all of its events.
//
// A name is that of a contributor that the organization edits or that one of its events names:
// namesakes of others are never meant. One of another Litfass is known by its uuid. Others are
// added, and none that is there is changed.
type contributors struct {
	org    string
	known  []contributor
	byUUID map[string]int                // places in known, also by the uuids of merged ones
	made   map[string]*rules.Contributor // the new ones by their uuids
	mayAdd bool
}

// contributor is a contributor that is there, or will be.
type contributor struct {
	UUID     string
	Name     string
	Note     string
	Wikidata string
	Former   []string
	Named    bool // may be found by its name
	Visible  bool
}

const selectContributors = `
SELECT c.uuid::text, c.name, coalesce(c.note, ''), coalesce(c.wikidata, ''), c.former_uuids::text[], own.named, ` + store.VisibleContributor + `
FROM contributor c, LATERAL (
    SELECT coalesce(c.org_uuid = $1, false) OR EXISTS (
        SELECT
        FROM event_contributor n
        JOIN event e ON e.uuid = n.event_uuid
        WHERE n.contributor_uuid = c.uuid AND e.org_uuid = $1
    ) AS named
) AS own
WHERE
    lower(c.name) = ANY ($5)
    OR c.uuid = ANY ($6::uuid[])
    OR c.former_uuids <> '{}' AND c.former_uuids && $6::uuid[]
ORDER BY c.uuid`

// readContributors reads the contributors that events of a file and stored ones name.
func (r *run) readContributors(ctx context.Context, tx pgx.Tx) error {
	var names, uuids []string
	for _, w := range r.events {
		for _, one := range w.named {
			names = append(names, strings.ToLower(one.Name))
			if one.UUID != "" {
				uuids = append(uuids, string(one.UUID))
			}
		}
	}
	for _, stored := range r.stored {
		for _, one := range stored.Entity.Contributors {
			uuids = append(uuids, one.UUID)
		}
	}
	r.cast = &contributors{org: r.org, byUUID: map[string]int{}, made: map[string]*rules.Contributor{}}
	if len(names)+len(uuids) == 0 {
		return nil // as most files
	}
	who := auth.PrincipalOf(ctx)
	have, err := access.Permissions(ctx, tx, who, r.org)
	if err != nil {
		return err
	}
	r.cast.mayAdd = have.Has(permission.EditEvent)
	list, err := postgres.List[contributor](ctx, tx, "contributors", selectContributors,
		r.org, who.UserID, who.KeyOrg, who.PlatformAdmin, names, uuids)
	for _, c := range list {
		r.cast.add(c)
	}
	for _, w := range r.events {
		r.cast.set(w)
	}
	return err
}

func (cs *contributors) add(c contributor) {
	for _, id := range append(c.Former, c.UUID) {
		cs.byUUID[id] = len(cs.known)
	}
	cs.known = append(cs.known, c)
}

// set sets the contributors of an event of the file. Ones that cannot be named are noted.
func (cs *contributors) set(w *fileEvent) {
	w.event.Contributors = []rules.EventContributor{}
	for _, one := range w.named {
		id, why := cs.find(one)
		named := rules.EventContributor{UUID: id, Role: one.Role}
		switch {
		case why != nil:
			w.notes = append(w.notes, adminapi.ImportReason{Row: w.rows[0], Violation: *why})
		case !slices.Contains(w.event.Contributors, named):
			w.event.Contributors = append(w.event.Contributors, named)
		}
	}
}

// find returns the uuid of a contributor, which it may plan to add, or why there is none.
func (cs *contributors) find(one adminapi.GivenContributor) (id string, why *fault.Violation) {
	refuse := func(why *reason.Reason) (string, *fault.Violation) {
		v := fault.Violate(eventfile.FieldContributors, why)
		return "", &v
	}
	place, taken := cs.byUUID[string(one.UUID)]
	if taken && cs.known[place].is(one) {
		return cs.known[place].UUID, nil
	}
	if one.UUID == "" || taken {
		switch called := cs.called(one); {
		case len(called) == 1:
			return called[0], nil
		case len(called) > 1:
			return refuse(reason.AmbiguousContributor)
		}
	}
	if !cs.mayAdd {
		return refuse(reason.UnknownReference(reason.WordContributor))
	}
	made := &rules.Contributor{
		UUID: string(one.UUID), OrgUUID: value.Text(cs.org), Type: one.Type, Name: one.Name, Note: one.Note,
		Description: one.Description, WebLink: one.WebLink, Wikidata: one.Wikidata,
	}
	if made.UUID == "" || taken {
		made.UUID = uuid.Must(uuid.NewV7()).String()
	}
	made.Normalize()
	if bad := made.Validate(); len(bad) > 0 {
		bad[0].Field = eventfile.FieldContributors + "." + bad[0].Field
		return "", &bad[0]
	}
	cs.made[made.UUID] = made
	cs.add(contributor{UUID: made.UUID, Name: made.Name, Note: string(made.Note), Wikidata: string(made.Wikidata), Named: true, Visible: true})
	return made.UUID, nil
}

// is reports whether a contributor is the one of another Litfass with its uuid. Any source of any
// organization may have added it with that uuid: so a stranger's has the name, too.
func (c contributor) is(given adminapi.GivenContributor) bool {
	return c.Visible && (c.Named || strings.EqualFold(c.Name, given.Name))
}

// called returns the contributors that a name may mean: of namesakes those with the same id at
// Wikidata or else the same note, if there are any.
func (cs *contributors) called(one adminapi.GivenContributor) (uuids []string) {
	best := 0
	for _, c := range cs.known {
		fit := 1
		switch {
		case !c.Named || !strings.EqualFold(c.Name, one.Name):
			continue
		case one.Wikidata != "" && c.Wikidata == string(one.Wikidata):
			fit = 3
		case one.Wikidata != "" && c.Wikidata != "":
			continue
		case one.Note != "" && strings.EqualFold(c.Note, string(one.Note)):
			fit = 2
		case one.Note != "" && c.Note != "":
			continue
		}
		if fit > best {
			uuids, best = nil, fit
		}
		if fit == best {
			uuids = append(uuids, c.UUID)
		}
	}
	return uuids
}

// of returns the new contributors that events name.
func (cs *contributors) of(events ...*rules.Event) (list []*rules.Contributor) {
	for _, event := range events {
		for _, named := range event.Contributors {
			if made := cs.made[named.UUID]; made != nil && !slices.Contains(list, made) {
				list = append(list, made)
			}
		}
	}
	return list
}

// newContributors returns the new contributors of events that are not stored yet.
func (r *run) newContributors(events []*rules.Event) []*rules.Contributor {
	return slices.DeleteFunc(r.cast.of(events...), func(made *rules.Contributor) bool { return r.added[made.UUID] })
}

// addContributors adds the new contributors that an event is the first one to name.
func (r *run) addContributors(ctx context.Context, to editing.Writer, event *rules.Event) error {
	for _, made := range r.newContributors([]*rules.Event{event}) {
		added := *made
		if err := to.CreateContributor(ctx, &added); err != nil {
			return err
		}
		r.adding = append(r.adding, made.UUID)
	}
	return nil
}

// contributorsText writes the contributors of an event by their uuids, "" for none.
func contributorsText(e *rules.Event) string {
	var all []string
	for _, named := range e.Contributors {
		all = append(all, named.UUID+" "+named.Role)
	}
	return strings.Join(all, ", ")
}

// nameIn writes contributors by their names.
func (cs *contributors) nameIn(text string) string {
	parts := split(text, ",")
	for i, part := range parts {
		id, role, _ := strings.Cut(part, " ")
		if place, known := cs.byUUID[id]; known {
			id = cs.known[place].Name
		}
		parts[i] = id + " (" + role + ")"
	}
	return strings.Join(parts, ", ")
}

// mapContributors reads the contributors in the text of a file.
func (w *fileEvent) mapContributors(text string) {
	for _, c := range eventfile.ReadContributors(text, func(text string) bool { return roleOf(text) != "" }) {
		one := adminapi.GivenContributor{
			Role: cmp.Or(roleOf(c.Role), rolePerformer), Type: adminapi.ContributorPerson, Name: c.Name, Note: value.Text(c.Note),
		}
		if one.Role == roleEnsemble {
			one.Type = adminapi.ContributorGroup
		}
		for _, link := range c.Links {
			if found := itemOfWikidata.FindStringSubmatch(link); found != nil {
				one.Wikidata = value.Text(found[1])
			} else if one.WebLink == "" {
				one.WebLink = value.Text(link)
			}
		}
		w.named = append(w.named, one)
	}
}

var itemOfWikidata = regexp.MustCompile(`^https?://(?:www\.)?wikidata\.org/(?:wiki|entity)/(Q[1-9][0-9]*)$`)

// The roles of names without one, of groups among performers, and of roles that are unknown here.
const (
	rolePerformer = "performer"
	roleEnsemble  = "ensemble"
	roleOther     = "other"
)

// roleOf returns the role of a name in one of the languages, or of a key; "" for none.
func roleOf(name string) string { return rolesByName()[strings.ToLower(name)] }

var rolesByName = sync.OnceValue(func() map[string]string {
	roles := map[string]string{}
	for _, set := range valueset.All() {
		if set.Name != change.LookupContributorRoles {
			continue
		}
		for _, item := range set.Items {
			roles[item.ID] = item.ID
			for _, text := range item.Names {
				roles[strings.ToLower(text)] = item.ID
			}
		}
	}
	return roles
})
