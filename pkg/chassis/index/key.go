package index

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/chassis/fault"
)

// readKeys is the name space of the uids of read keys. It must never change: the engine derives a
// key from its master key and the key's uid, so a rebuilt read node gives its query services the
// same key again.
var readKeys = uuid.MustParse("6d1f3c1e-7f0b-5c5a-9a53-0a5d0c6f6b21")

// indexes.get lets query services see when an index last changed, instead of reading it repeatedly.
var readActions = []string{"search", "documents.get", "indexes.get"}

// ReadKey returns the key with which query services may search and read this read node's indexes
// and do nothing else. It creates the key if it does not exist; for that, the client's own key must
// be allowed to manage keys. For an engine without a master key it returns "".
func (c *Client) ReadKey(ctx context.Context) (string, error) {
	uid := uuid.NewSHA1(readKeys, []byte(c.prefix)).String()
	key, err := c.engine.GetKeyWithContext(ctx, uid)
	if err = Fault(err); fault.Is(err, fault.NotFound) {
		key, err = c.createReadKey(ctx, uid)
	}
	switch {
	case err == nil:
		return key.Key, nil
	case hasCode(err, codeMasterKeyAbsent):
		return "", nil
	default:
		return "", fmt.Errorf("read key: %w", err)
	}
}

func (c *Client) createReadKey(ctx context.Context, uid string) (*meilisearch.Key, error) {
	key, err := c.engine.CreateKeyWithContext(ctx, &meilisearch.Key{
		UID:         uid,
		Name:        "litfass query " + c.prefix,
		Description: "For query services: searches and reads the indexes of one read node",
		Actions:     readActions,
		Indexes:     []string{c.prefix + "*"},
	})
	if err = Fault(err); hasCode(err, codeKeyExists) { // another process was faster
		key, err = c.engine.GetKeyWithContext(ctx, uid)
		err = Fault(err)
	}
	return key, err
}

// DropReadKey deletes the key that ReadKey created.
func (c *Client) DropReadKey(ctx context.Context) error {
	_, err := c.engine.DeleteKeyWithContext(ctx, uuid.NewSHA1(readKeys, []byte(c.prefix)).String())
	if err = Fault(err); err != nil && !fault.Is(err, fault.NotFound) && !hasCode(err, codeMasterKeyAbsent) {
		return fmt.Errorf("delete read key: %w", err)
	}
	return nil
}
