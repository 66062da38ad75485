// Package migrations holds the database schema as numbered SQL files, applied in order by goose.
//
// A file that has been released is never changed: a new one follows it. The files stand at the top of the repository, in
// a module of their own, because they are the contract of whoever owns the database, not of one Go package.
package migrations

import "embed"

// FS holds every NNNNN_name.sql of this folder.
//
//go:embed *.sql
var FS embed.FS
