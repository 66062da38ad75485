// Package dataexport writes the data that is stored about a user as JSON. Each package that owns
// such rows declares their lists; they are read page by page while the JSON is sent, so that a slow
// reader holds neither memory nor a connection.
package dataexport

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/postgres"
)

// List is a list of rows about a user. Its query gets the user's id as $1, the key of the last row
// that was read as $2 (an empty string at first), and the maximum number of rows as $3. It returns,
// in order of a unique key, the key as text and the row as a JSON object, without secrets. ORDER BY
// must name the column with its table: without it, a number is sorted as the text that is returned.
type List struct {
	Name   string // the key in the export
	Query  string
	Single bool // one row, which is exported as an object
}

const (
	pageRows  = 50
	pageBytes = 256 << 10 // where a page ends early: rows may be long
	pageTime  = 10 * time.Second
)

// Reader reads the JSON of all lists of a user. Every list is as of the time when it is read.
type Reader struct {
	ctx    context.Context //nolint:containedctx // Read has no argument for it
	db     *postgres.DB
	userID int
	lists  []List
	after  string // the key of the last row; "" where a list begins
	begun  bool   // the first row of the list was written
	buffer bytes.Buffer
}

// Open returns a reader with the first rows already read, so that a failure is known before
// anything is sent. The other lists are read without the deadline of ctx; each page has one.
func Open(ctx context.Context, db *postgres.DB, userID int, lists ...List) (*Reader, error) {
	r := &Reader{ctx: context.WithoutCancel(ctx), db: db, userID: userID, lists: lists}
	r.buffer.WriteByte('{')
	r.begin()
	return r, r.advance()
}

// Read implements io.Reader. After an error the JSON is incomplete.
func (r *Reader) Read(p []byte) (int, error) {
	for r.buffer.Len() == 0 {
		if len(r.lists) == 0 {
			return 0, io.EOF
		}
		if err := r.advance(); err != nil {
			return 0, err
		}
	}
	return r.buffer.Read(p)
}

// begin writes the name of the next list.
func (r *Reader) begin() {
	name, _ := json.Marshal(r.lists[0].Name) // a string
	r.buffer.Write(append(name, ':'))
	r.after, r.begun = "", false
	if !r.lists[0].Single {
		r.buffer.WriteByte('[')
	}
}

// advance writes a page of the current list, and the beginning of the next one after the last page.
func (r *Reader) advance() error {
	complete, err := r.page()
	if err != nil {
		return fmt.Errorf("export %s: %w", r.lists[0].Name, err)
	}
	if !complete {
		return nil
	}
	if !r.lists[0].Single {
		r.buffer.WriteByte(']')
	}
	r.lists = r.lists[1:]
	if len(r.lists) == 0 {
		r.buffer.WriteString("}\n")
		return nil
	}
	r.buffer.WriteByte(',')
	r.begin()
	return nil
}

// page writes rows of the current list and reports whether they are the last ones.
func (r *Reader) page() (complete bool, err error) {
	ctx, cancel := context.WithTimeout(r.ctx, pageTime)
	defer cancel()
	err = r.db.ReadTx(ctx, func(tx pgx.Tx) error {
		rows, _ := tx.Query(ctx, r.lists[0].Query, r.userID, r.after, pageRows) // the error comes with the rows
		defer rows.Close()
		count := 0
		for r.buffer.Len() < pageBytes && rows.Next() {
			var row json.RawMessage
			if err := rows.Scan(&r.after, &row); err != nil {
				return err
			}
			if r.begun {
				r.buffer.WriteByte(',')
			}
			r.buffer.Write(row)
			r.begun = true
			count++
		}
		rows.Close()
		complete = r.buffer.Len() < pageBytes && count < pageRows
		return rows.Err()
	})
	return complete, err
}
