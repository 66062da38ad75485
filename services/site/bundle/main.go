// Command bundle builds the assets of the site's pages: it bundles the scripts and styles of
// assets/, draws the land of the maps, and writes the result where the package asset embeds it.
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
	err := bundle.Make(context.Background(), bundle.Options{Service: *site, Prefix: "/assets/", More: drawLand})
	if err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}
