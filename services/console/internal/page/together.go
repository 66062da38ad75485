package page

import "golang.org/x/sync/errgroup"

// readsAtOnce is how many reads of one request are under way at the same time.
const readsAtOnce = 8

// Together runs reads at the same time, and returns the first error. The
// login is refreshed before, when that is due, and not by one of the reads. A read may call
// Together for reads of its own; it may ask for the permissions of the person only if they have
// been asked for before.
func (r *Request) Together(reads ...func() error) error {
	if !r.fresh {
		if err := r.stayLoggedIn(); err != nil {
			return err
		}
		r.fresh = true
		defer func() { r.fresh = false }()
	}
	var group errgroup.Group
	group.SetLimit(readsAtOnce)
	for _, read := range reads {
		group.Go(read)
	}
	return group.Wait()
}

// stayLoggedIn refreshes the login when that is due.
func (r *Request) stayLoggedIn() error {
	if r.User == nil || r.fresh || !r.deps.Refresher.Due(r.User) {
		return nil
	}
	return r.refresh()
}
