package build

import "context"

// Bundle writes the scripts and styles that the site embeds. It must come before the site is
// compiled, which else has none. When nothing has changed since the last time, it touches nothing.
// Libraries are fetched by npm where they are not there. It returns an *Error when the source has a
// mistake or npm is missing.
func Bundle(ctx context.Context, root string) error {
	return run(ctx, root, "run", "./services/site/bundle")
}
