// Command bundle builds what the console's pages load: it bundles the scripts and styles of assets/
// and writes the result where the package asset embeds it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"litfass/pkg/ui/bundle"
)

func main() {
	console := flag.String("console", filepath.Join("services", "console"), "folder of the console's module")
	flag.Parse()
	err := bundle.Make(context.Background(), bundle.Options{Service: *console, Prefix: "/console/assets/"})
	if err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}
