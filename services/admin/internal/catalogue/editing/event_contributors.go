package editing

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// NameContributors replaces the contributors of an event, in order. One without a uuid is added to
// the organization of the event: a name never stands for a contributor that is there. It needs
// EditEvent, and ReleaseEvent for a public event. The faults are those of UpdateEvent and
// CreateContributor, and refused, which comes after those of missing rights; a contributor that the
// principal may not name is a NotFound fault.
func (e *Editor) NameContributors(
	ctx context.Context, at Target, given []adminapi.GivenContributor, refused error,
) (named Versioned[EventView], err error) {
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		_, org, err := events.loadToWrite(ctx, tx, at, events.editRight)
		if err = cmp.Or(err, refused); err != nil {
			return err
		}
		list, err := e.identify(ctx, tx, org, given)
		if err != nil {
			return err
		}
		written, err := updateIn(ctx, tx, e, events, at, func(event *rules.Event) error {
			event.Contributors = slices.Clone(list)
			return nil
		})
		if err != nil {
			return err
		}
		named, err = viewOfEvent(ctx, tx, written)
		return err
	})
	return named, err
}

// identify returns the contributors of an event by their uuids: it adds new ones, and replaces
// merged ones.
func (e *Editor) identify(
	ctx context.Context, tx pgx.Tx, org string, given []adminapi.GivenContributor,
) ([]rules.EventContributor, error) {
	if len(given) > adminapi.MaxContributors {
		tooMany := fault.Violate("contributors", reason.TooMany(adminapi.MaxContributors))
		return nil, invalid(rules.KindEvent, fault.Violations{tooMany})
	}
	list := make([]rules.EventContributor, len(given))
	var known []string
	for i, one := range given {
		list[i] = rules.EventContributor{UUID: string(one.UUID), Role: one.Role}
		if one.UUID != "" {
			if id, valid := value.UUIDv7(list[i].UUID); valid {
				list[i].UUID, known = id, append(known, id)
			}
			continue
		}
		id, err := e.addContributor(ctx, tx, org, one)
		if err != nil {
			return nil, within(fmt.Sprintf("contributors[%d].", i), err)
		}
		list[i].UUID = id
	}
	survivors, err := store.Survivors(ctx, tx, known)
	for i := range list {
		list[i].UUID = cmp.Or(survivors[list[i].UUID], list[i].UUID)
	}
	return list, err
}

func (e *Editor) addContributor(
	ctx context.Context, tx pgx.Tx, org string, given adminapi.GivenContributor,
) (id string, err error) {
	if id, err = newUUID(); err != nil {
		return "", err
	}
	_, err = createIn(ctx, tx, e, contributors, &rules.Contributor{
		UUID: id, OrgUUID: value.Text(org), Type: given.Type, Name: given.Name, Note: given.Note,
		Description: given.Description, WebLink: given.WebLink, Wikidata: given.Wikidata,
	}, nil)
	return id, err
}

// within puts a prefix before the fields of an Invalid fault.
func within(prefix string, err error) error {
	if !fault.Is(err, fault.Invalid) {
		return err
	}
	f := *fault.Of(err)
	f.Violations = slices.Clone(f.Violations)
	for i := range f.Violations {
		f.Violations[i].Field = prefix + f.Violations[i].Field
	}
	return &f
}
