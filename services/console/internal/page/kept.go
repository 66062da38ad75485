package page

// Keep has the browser store a value on the way to an account, as session.Cookies.Keep does.
func (r *Request) Keep(name, value string) error { return r.deps.Cookies.Keep(r.c, name, value) }

// Kept returns a value that Keep has stored in an earlier request; "" for none.
func (r *Request) Kept(name string) string { return r.deps.Cookies.Kept(r.c, name) }

// Drop has the browser forget a value that Keep has stored.
func (r *Request) Drop(name string) { r.deps.Cookies.Drop(r.c, name) }
