// Command bundle builds the assets of the site's pages: it bundles the scripts and styles of
// assets/, adds the worker of the map, and writes the result where the package asset embeds it.
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
	site := flag.String("site", filepath.Join("services", "site"), "folder of the site's module")
	flag.Parse()
	err := bundle.Make(context.Background(), bundle.Options{Service: *site, Prefix: "/assets/", More: addWorker})
	if err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}
