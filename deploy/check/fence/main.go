package main

import (
	"context"
	"flag"
	"fmt"
	"os"
)

func main() {
	unit := flag.Bool("unit", false, "list the packages that can be tested without engines instead")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: fence [-unit] PACKAGES, for example ./pkg/...")
		flag.PrintDefaults()
	}
	flag.Parse()
	code, err := run(context.Background(), *unit, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "fence:", err)
		code = 1
	}
	os.Exit(code)
}

// run prints breaches to standard error and returns exit code 1 when there is one; with unit it
// prints packages to standard output instead.
func run(ctx context.Context, unit bool, patterns []string) (code int, err error) {
	if unit {
		packages, err := UnitPackages(ctx, ".", patterns)
		for _, name := range packages {
			fmt.Println(name)
		}
		return 0, err
	}
	breaches, err := Check(ctx, ".", patterns)
	for _, breach := range breaches {
		fmt.Fprintln(os.Stderr, breach)
		code = 1
	}
	return code, err
}
