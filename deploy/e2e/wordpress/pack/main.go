// Command pack writes the WordPress plugin as the archive that WordPress installs.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"litfass/deploy/e2e/wordpress"
	"litfass/deploy/local/stack"
)

func main() {
	out := flag.String("out", filepath.Join(".local", "litfass-wordpress.zip"), "file of the archive")
	flag.Parse()
	if err := pack(*out); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
	fmt.Println(*out)
}

func pack(out string) error {
	root, err := stack.FindRoot()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o750); err != nil {
		return err
	}
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	err = wordpress.Pack(os.DirFS(filepath.Join(root, "deploy", "clients", "wordpress", "litfass")), file)
	return errors.Join(err, file.Close())
}
