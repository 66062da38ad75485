package editing

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/publish/outbox"
)

// Contributor returns a contributor to those who may name it (store.VisibleContributor), also by
// the uuid of one that was merged into it. To others it is a NotFound fault.
func (e *Editor) Contributor(ctx context.Context, key string) (found Versioned[*rules.Contributor], err error) {
	err = e.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		survivors, err := store.Survivors(ctx, tx, []string{key})
		if err != nil {
			return err
		}
		key := cmp.Or(survivors[key], key)
		if err := requireVisible(ctx, tx, key); err != nil {
			return err
		}
		stored, err := store.Contributors.Read(ctx, tx, []string{key})
		found = Versioned[*rules.Contributor]{Version: stored[key].Version, Answer: stored[key].Entity}
		return err
	})
	return found, err
}

// requireVisible returns a NotFound fault unless the principal may name a contributor.
func requireVisible(ctx context.Context, tx pgx.Tx, contributor string) error {
	if _, valid := value.UUIDv7(contributor); !valid { // of an event that is refused
		return errNoContributor()
	}
	who := auth.PrincipalOf(ctx)
	visible, err := store.ContributorIsVisible(ctx, tx, contributor, who.UserID, who.KeyOrg, who.PlatformAdmin)
	if err == nil && !visible {
		return errNoContributor()
	}
	return err
}

func errNoContributor() error {
	return fault.New(fault.NotFound, "contributor_not_found", "there is no such contributor")
}

// CreateContributor adds a contributor and gives it its uuid. It needs EditEvent in its
// organization, or for one of the operator a platform administrator. It returns the faults of
// create.
func (e *Editor) CreateContributor(
	ctx context.Context, c *rules.Contributor,
) (created Versioned[*rules.Contributor], err error) {
	if c.UUID, err = newUUID(); err != nil {
		return created, err
	}
	return create(ctx, e, contributors, c)
}

// UpdateContributor applies an edit to a contributor. It needs the right to create it, also where
// it moves to. It returns the faults of update, and a Conflict for one that is shared
// (refuseShared).
func (e *Editor) UpdateContributor(
	ctx context.Context, at Target, edit func(*rules.Contributor) error,
) (Versioned[*rules.Contributor], error) {
	return update(ctx, e, contributors, at, edit)
}

// refuseShared refuses to change a contributor that a public event of another organization names,
// to all but platform administrators: the event would show words that its organization never chose.
func refuseShared(ctx context.Context, tx pgx.Tx, _ *Editor, before, _ *rules.Contributor) error {
	if before == nil || auth.PrincipalOf(ctx).PlatformAdmin {
		return nil
	}
	shared, err := store.ContributorIsShared(ctx, tx, before.UUID)
	if err == nil && shared {
		return fault.New(fault.Conflict, "contributor_shared",
			"public events of other organizations name the contributor, so only operators change it")
	}
	return err
}

// RemoveContributor deletes a contributor that no event names. It needs the right to create it. It
// returns the faults of remove.
func (e *Editor) RemoveContributor(ctx context.Context, at Target, password string) error {
	return remove(ctx, e, contributors, at, password)
}

// RemovePerson is RemoveContributor for one that events name, also those of other organizations,
// which are notified: the name of a person is personal data. Groups are taken out of events by
// platform administrators alone.
func (e *Editor) RemovePerson(ctx context.Context, at Target, password string) error {
	return removeAfter(ctx, e, contributors, at, password, e.takeOut)
}

// takeOut takes a contributor out of all events.
func (e *Editor) takeOut(ctx context.Context, tx pgx.Tx, c *rules.Contributor) error {
	if c.Type != adminapi.ContributorPerson && !auth.PrincipalOf(ctx).PlatformAdmin {
		return nil
	}
	if err := outbox.EnqueueEventsOfContributors(ctx, tx, []string{c.UUID}); err != nil {
		return err
	}
	if err := outbox.Enqueue(ctx, tx, change.KindContributor, []string{c.UUID}); err != nil { // which is public
		return err
	}
	naming, err := store.TakeOut(ctx, tx, c.UUID)
	if err != nil {
		return err
	}
	of := map[string][]store.Naming{}
	for _, one := range naming {
		of[one.Org] = append(of[one.Org], one)
	}
	delete(of, string(c.OrgUUID)) // which does it
	others := slices.Sorted(maps.Keys(of))
	for _, org := range others {
		if err := e.NotifyRemoved(ctx, tx, org, of[org]); err != nil {
			return err
		}
	}
	return e.record(ctx, tx, rules.KindContributor, "delete", c.UUID, others, c, nil)
}

// MergeContributor gives the events of a contributor to another one, which is found under the uuids
// of both from then on, and deletes it. It takes a platform administrator. The faults: Forbidden;
// refused, a fault of the body; NotFound; Stale; Invalid, naming the field into.
func (e *Editor) MergeContributor(
	ctx context.Context, at Target, into string, refused error,
) (merged Versioned[*rules.Contributor], err error) {
	if err := cmp.Or(access.RequirePlatform(auth.PrincipalOf(ctx)), refused); err != nil {
		return merged, err
	}
	if at.Key == into {
		return merged, invalidMerge(reason.SameContributor)
	}
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		both := []string{at.Key, into}
		rows := []store.Rows{{Kind: rules.KindContributor, Lock: store.ForDelete, Keys: both}}
		if err := store.LockRows(ctx, tx, rows, func(rules.Kind, string, int64) {}); err != nil {
			return err
		}
		stored, err := store.Contributors.Read(ctx, tx, both)
		if err != nil {
			return err
		}
		from, exists := stored[at.Key]
		if !exists {
			return errNoContributor()
		}
		if err := at.Expected.Check(string(rules.KindContributor), from.Version); err != nil {
			return err
		}
		if _, exists := stored[into]; !exists {
			return invalidMerge(reason.UnknownReference(reason.WordContributor))
		}
		merged, err = e.merge(ctx, tx, from.Entity, stored[into].Entity)
		return err
	})
	return merged, err
}

// merge merges one contributor into another; both are locked.
func (e *Editor) merge(
	ctx context.Context, tx pgx.Tx, from, into *rules.Contributor,
) (merged Versioned[*rules.Contributor], err error) {
	if len(from.FormerUUIDs)+1+len(into.FormerUUIDs) > rules.MaxFormer { // it could not be edited any more
		return merged, invalidMerge(reason.TooMany(rules.MaxFormer))
	}
	if err := store.MergeContributors(ctx, tx, from.UUID, into.UUID); err != nil {
		return merged, err
	}
	both := []string{from.UUID, into.UUID}
	if err := outbox.Enqueue(ctx, tx, change.KindContributor, both); err != nil {
		return merged, err
	}
	if err := outbox.EnqueueEventsOfContributors(ctx, tx, both); err != nil {
		return merged, err
	}
	stored, err := store.Contributors.Read(ctx, tx, both)
	if err != nil {
		return merged, err
	}
	merged = Versioned[*rules.Contributor]{Version: stored[into.UUID].Version, Answer: stored[into.UUID].Entity}
	orgs := slices.Compact([]string{string(from.OrgUUID), string(into.OrgUUID)})
	return merged, e.record(ctx, tx, rules.KindContributor, "merge", from.UUID, orgs, from, merged.Answer)
}

func invalidMerge(why *reason.Reason) error {
	return invalid(rules.KindContributor, fault.Violations{fault.Violate("into", why)})
}

// refuseMerged refuses to bring back a contributor that was merged into another one.
func refuseMerged(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Contributor]) error {
	survivors, err := store.Survivors(ctx, tx, keysOf(diffs))
	if err != nil || len(survivors) == 0 {
		return err
	}
	return fault.New(fault.Conflict, "contributor_merged", "the contributor was merged into another one")
}
