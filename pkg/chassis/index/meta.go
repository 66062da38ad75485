package index

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/document"
)

// Meta is the small index that records the origin of the others. It is swapped together with them.
const Meta = "meta"

// StateID is the id of the document of Meta that State reads and PutState writes.
const StateID = "state"

// everyIndex returns the indexes of package document and Meta.
func everyIndex() []document.Index {
	return append([]document.Index{{Name: Meta, PrimaryKey: "id"}}, document.Indexes...)
}

// State records the origin of a read node's indexes.
type State struct {
	ID           string `json:"id"`
	SettingsHash string `json:"settings_hash"` // document.SettingsHash at that time
	Stream       string `json:"stream"`        // stream.Identity of the source
	// Filling is true until the indexes have held everything of their stream once: they answer too
	// little until then.
	Filling bool `json:"filling,omitempty"`
}

// record is the document of Meta: a State and the names of the indexes of the release that wrote
// the record. Releases before the names had no indexes but those of package document.
type record struct {
	State
	Indexes []string `json:"indexes"`
}

// recordedName matches the names of indexes of every release, and nothing that reaches beyond the
// engine's path of one index.
var recordedName = regexp.MustCompile(`^[a-z_]{1,100}$`)

// names returns the names of the indexes of the set, without Meta: the indexes of package document,
// whether or not the set has each, and further indexes of the release that built the set.
func (c *Client) names(ctx context.Context) (names []string, err error) {
	for _, settings := range document.Indexes {
		names = append(names, settings.Name)
	}
	recorded, err := c.recorded(ctx)
	for _, name := range recorded {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, err
}

// recorded returns the names of indexes in the record of the set. A damaged record counts as one
// without the damaged names, so that the set can still be exchanged and deleted.
func (c *Client) recorded(ctx context.Context) (names []string, err error) {
	var found struct {
		Indexes json.RawMessage `json:"indexes"`
	}
	err = Fault(c.Index(Meta).GetDocumentWithContext(ctx, StateID, nil, &found))
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, fmt.Errorf("read the names of the indexes: %w", err)
	}
	var listed []string
	_ = json.Unmarshal(found.Indexes, &listed) // of a damaged list, the part that could be read
	for _, name := range listed {
		if recordedName.MatchString(name) && name != Meta && !strings.HasPrefix(name, aside) {
			names = append(names, name)
		}
	}
	return names, nil
}

// exists reports whether the set has an index.
func (c *Client) exists(ctx context.Context, name string) (bool, error) {
	_, err := c.Count(ctx, name)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// State returns the State that PutState stored; ok is false when there is no such document or
// index.
func (c *Client) State(ctx context.Context) (state State, ok bool, err error) {
	err = Fault(c.Index(Meta).GetDocumentWithContext(ctx, StateID, nil, &state))
	switch {
	case err == nil:
		return state, true, nil
	case fault.Is(err, fault.NotFound):
		return state, false, nil
	default:
		return state, false, fmt.Errorf("read state of the index: %w", err)
	}
}

// PutState stores the state and waits until it can be read.
func (c *Client) PutState(ctx context.Context, state State) error {
	state.ID = StateID
	written := record{State: state}
	for _, settings := range document.Indexes {
		written.Indexes = append(written.Indexes, settings.Name)
	}
	line, err := json.Marshal(written)
	if err != nil {
		return fmt.Errorf("encode state of the index: %w", err)
	}
	tasks, err := c.Add(ctx, Meta, [][]byte{line})
	if err == nil {
		err = c.Wait(ctx, tasks...)
	}
	if err != nil {
		return fmt.Errorf("store state of the index: %w", err)
	}
	return nil
}
