// Package stale finds answers that are older than the position they name. It makes edits of a
// catalogue, keeps what each of them has changed with the position of its write, and compares
// public answers with that: an answer of a position must show every edit up to it, and may show
// later ones. While no edit lies between its position and its arrival, an answer must equal the
// reference in all parts.
//
// The edits change texts, names and release statuses. What they leave as it is (starts, places,
// types, tags) is taken from the catalogue.
package stale
