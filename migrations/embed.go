// Package migrations contains the database schema as numbered SQL files, applied in order by goose.
//
// The statements of a released file never change: a new file follows it. The files are at the top
// of the repository, in a module of their own, because they are the contract with the operator of
// the database and belong to no single Go package.
package migrations

import "embed"

// FS contains every NNNNN_name.sql of this folder.
//
//go:embed *.sql
var FS embed.FS
