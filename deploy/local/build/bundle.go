package build

import "context"

// bundled are the services with embedded scripts and styles.
var bundled = []string{"site", "console"}

// Bundle writes the scripts and styles that site and console embed. It must come before these are
// compiled, which else have none. When nothing has changed since the last time, it touches nothing.
// Libraries are fetched by npm where they are not there. It returns an *Error when the source has a
// mistake or npm is missing.
func Bundle(ctx context.Context, root string) error {
	for _, service := range bundled {
		if err := BundleOf(ctx, root, service); err != nil {
			return err
		}
	}
	return nil
}

// BundleOf is Bundle for one service.
func BundleOf(ctx context.Context, root, service string) error {
	return run(ctx, root, "run", "./services/"+service+"/bundle")
}
