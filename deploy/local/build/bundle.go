package build

import "context"

// bundles are the programs that write the embedded files of a service.
var bundles = []string{"./services/site/bundle", "./services/console/bundle"}

// Bundle writes the scripts and styles that site and console embed. It must come before these are
// compiled, which else have none. When nothing has changed since the last time, it touches nothing.
// Libraries are fetched by npm where they are not there. It returns an *Error when the source has a
// mistake or npm is missing.
func Bundle(ctx context.Context, root string) error {
	for _, program := range bundles {
		if err := run(ctx, root, "run", program); err != nil {
			return err
		}
	}
	return nil
}
