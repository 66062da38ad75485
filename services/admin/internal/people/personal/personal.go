// Package personal writes what is stored about a user as JSON. Each package that owns rows about
// people declares the lists of them; their rows are read page by page while the JSON is sent, so
// that neither memory nor a connection is held for a slow reader.
package personal

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
// that was read as $2 (” at first), and how many rows to return as $3. It returns, in order of a
// unique key, the key as text and the row as a JSON object, without secrets. ORDER BY must name the
// column with its table: without it, a number is sorted as the text that is returned.
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

// Export is the JSON of everything about a user. It implements io.Reader; every list is read as of
// the time when it is sent.
type Export struct {
	ctx    context.Context //nolint:containedctx // Read has no argument for it
	db     *postgres.DB
	userID int
	lists  []List
	after  string // the key of the last row; "" where a list begins
	begun  bool   // the first row of the list was written
	buffer bytes.Buffer
}

// Open returns the export of a user with the first rows already read, so that a failure is known
// before anything is sent. The lists that follow are read without the deadline of ctx, each page
// with one of its own.
func Open(ctx context.Context, db *postgres.DB, userID int, lists ...List) (*Export, error) {
	e := &Export{ctx: context.WithoutCancel(ctx), db: db, userID: userID, lists: lists}
	e.buffer.WriteByte('{')
	e.begin()
	return e, e.advance()
}

// Read fills p with the next part of the JSON. An error means that what was read is incomplete.
func (e *Export) Read(p []byte) (int, error) {
	for e.buffer.Len() == 0 {
		if len(e.lists) == 0 {
			return 0, io.EOF
		}
		if err := e.advance(); err != nil {
			return 0, err
		}
	}
	return e.buffer.Read(p)
}

// begin writes the name of the next list.
func (e *Export) begin() {
	name, _ := json.Marshal(e.lists[0].Name) // a string
	e.buffer.Write(append(name, ':'))
	e.after, e.begun = "", false
	if !e.lists[0].Single {
		e.buffer.WriteByte('[')
	}
}

// advance writes a page of the current list, and the beginning of the next one after the last page.
func (e *Export) advance() error {
	complete, err := e.page()
	if err != nil {
		return fmt.Errorf("export %s: %w", e.lists[0].Name, err)
	}
	if !complete {
		return nil
	}
	if !e.lists[0].Single {
		e.buffer.WriteByte(']')
	}
	e.lists = e.lists[1:]
	if len(e.lists) == 0 {
		e.buffer.WriteString("}\n")
		return nil
	}
	e.buffer.WriteByte(',')
	e.begin()
	return nil
}

// page writes rows of the current list and reports whether they are the last ones.
func (e *Export) page() (complete bool, err error) {
	ctx, cancel := context.WithTimeout(e.ctx, pageTime)
	defer cancel()
	err = e.db.ReadTx(ctx, func(tx pgx.Tx) error {
		rows, _ := tx.Query(ctx, e.lists[0].Query, e.userID, e.after, pageRows) // the error comes with the rows
		defer rows.Close()
		count := 0
		for e.buffer.Len() < pageBytes && rows.Next() {
			if err := e.row(rows); err != nil {
				return err
			}
			count++
		}
		rows.Close()
		complete = e.buffer.Len() < pageBytes && count < pageRows
		return rows.Err()
	})
	return complete, err
}

func (e *Export) row(rows pgx.Rows) error {
	var row json.RawMessage
	if err := rows.Scan(&e.after, &row); err != nil {
		return err
	}
	if e.begun {
		e.buffer.WriteByte(',')
	}
	e.buffer.Write(row)
	e.begun = true
	return nil
}
