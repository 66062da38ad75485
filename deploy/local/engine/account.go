package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"litfass/deploy/local/proc"
)

// Home is a folder that the user who runs PostgreSQL can reach.
type Home struct {
	Dir   string
	User  *proc.User // nil: the launcher's own user
	Moved bool       // Dir is not the folder asked for
}

// PostgresHome selects the user who runs PostgreSQL and the folder of its files. PostgreSQL refuses
// to run as root, so root runs it as another user: the owner of existing data, else "postgres",
// else "nobody". If that user cannot reach the wanted folder (it is below a private home such as
// /root), a folder below /var/tmp named after the wanted one is used instead.
func PostgresHome(wanted string) (Home, error) {
	wanted, err := filepath.Abs(wanted)
	if err != nil {
		return Home{}, err
	}
	if os.Geteuid() != 0 {
		return Home{Dir: wanted}, nil
	}
	sum := sha256.Sum256([]byte(wanted))
	elsewhere := filepath.Join("/var/tmp", "litfass-"+hex.EncodeToString(sum[:])[:12])
	account, err := postgresUser(wanted, elsewhere)
	if err != nil {
		return Home{}, err
	}
	if reachable(wanted, account) {
		return Home{Dir: wanted, User: account}, nil
	}
	if err := ownFolder(elsewhere); err != nil {
		return Home{}, err
	}
	return Home{Dir: elsewhere, User: account, Moved: true}, nil
}

// postgresUser returns the owner of existing data in one of the homes, else a
// user of this machine that is not root.
func postgresUser(homes ...string) (*proc.User, error) {
	for _, home := range homes {
		info, err := os.Stat(filepath.Join(home, postgresFolder))
		if err != nil {
			continue
		}
		owner := info.Sys().(*syscall.Stat_t)
		if owner.Uid != 0 {
			return ownerAccount(owner), nil
		}
	}
	for _, name := range []string{"postgres", "nobody"} {
		if found, err := user.Lookup(name); err == nil {
			return account(found)
		}
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody to run it: start as another user or set DATABASE_URL")
}

// ownerAccount returns the name of a file's owner, or the number of an owner without a name.
func ownerAccount(owner *syscall.Stat_t) *proc.User {
	number := strconv.FormatUint(uint64(owner.Uid), 10)
	name := "user " + number
	if found, err := user.LookupId(number); err == nil {
		name = found.Username
	}
	return &proc.User{Name: name, UID: int(owner.Uid), GID: int(owner.Gid)}
}

func account(found *user.User) (*proc.User, error) {
	uid, err := strconv.Atoi(found.Uid)
	if err != nil {
		return nil, fmt.Errorf("user %s has no numeric id: %w", found.Username, err)
	}
	gid, err := strconv.Atoi(found.Gid)
	if err != nil {
		return nil, fmt.Errorf("user %s has no numeric group: %w", found.Username, err)
	}
	return &proc.User{Name: found.Username, UID: uid, GID: gid}, nil
}

// reachable reports whether the user can enter every existing folder on the way to path. Missing
// folders will be created with sufficient permissions.
func reachable(path string, account *proc.User) bool {
	for dir := path; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && !mayPass(info, account) {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

func mayPass(info os.FileInfo, account *proc.User) bool {
	stat := info.Sys().(*syscall.Stat_t)
	switch {
	case int(stat.Uid) == account.UID:
		return info.Mode()&0o100 != 0
	case int(stat.Gid) == account.GID:
		return info.Mode()&0o010 != 0
	default:
		return info.Mode()&0o001 != 0
	}
}

// ownFolder creates a folder in a place that is writable for all users, and refuses one that
// another user created.
func ownFolder(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != 0 {
		return fmt.Errorf("%s exists and is not ours: remove it", dir)
	}
	return os.Chmod(dir, 0o755)
}
