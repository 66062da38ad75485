package catalogfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
)

// A batch is saved in one transaction.
const (
	batchLines = 500
	batchBytes = 2 << 20
)

// Saver saves entities; see editing.Operator.Save.
type Saver interface {
	Save(ctx context.Context, entities []rules.Entity) ([]editing.Result, error)
}

// Refusal is a line that was not imported.
type Refusal struct {
	Line int
	Kind rules.Kind // "" when the line has none
	Key  string     // of the entity; "" when the line names none
	Err  *fault.Fault
}

// String returns the refusal on one line: number, entity, and every bad field with the reason.
func (r Refusal) String() string {
	var b strings.Builder
	b.WriteString("line " + strconv.Itoa(r.Line) + ": ")
	if r.Kind != "" {
		b.WriteString(strings.TrimSpace(string(r.Kind)+" "+r.Key) + ": ")
	}
	if len(r.Err.Violations) == 0 {
		return b.String() + r.Err.Message
	}
	separator := ""
	for _, v := range r.Err.Violations {
		b.WriteString(separator + strings.TrimSpace(v.Field+" "+v.Reason))
		separator = "; "
	}
	return b.String()
}

// Importer reads catalog files into a database.
type Importer struct {
	Saver Saver
	// Report is called with every refused line, in the order of the lines.
	Report func(Refusal)
	// Saved is called after every saved batch, unless it is nil.
	Saved func(lines int)
}

// Import reads a file, plain or compressed with gzip, and saves its entities. An invalid line is
// reported and skipped; an unchanged entity is not written. An error ends the import: a file that
// cannot be read to its end, or a database that cannot be reached. The lines before are saved then,
// and importing the file again continues.
func (i Importer) Import(ctx context.Context, in io.Reader) (Counts, error) {
	counts := Counts{}
	file, err := openLines(in)
	if err != nil {
		return counts, err
	}
	decoding, cancel := context.WithCancel(ctx)
	defer cancel()
	batches := make(chan batch, 1) // one is decoded while another is saved
	var readErr error              // written before batches is closed
	go func() {
		defer close(batches)
		readErr = decodeAll(decoding, file, batches)
	}()
	for {
		select {
		case <-ctx.Done(): // also while reading blocks, for example on a pipe
			return counts, ctx.Err()
		case b, more := <-batches:
			if !more {
				return counts, readErr
			}
			if err := i.save(ctx, b, counts); err != nil {
				return counts, err
			}
		}
	}
}

// decodedLine is a decoded line, or the error of decoding it.
type decodedLine struct {
	number int
	entity rules.Entity // nil when the line has no kind
	bad    *fault.Fault
}

type batch []decodedLine

// decodeAll decodes the file into batches. Lines before an error are passed on, too.
func decodeAll(ctx context.Context, file *lines, batches chan<- batch) error {
	for {
		b, readErr := decodeBatch(file)
		if len(b) > 0 {
			select {
			case batches <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}

func decodeBatch(file *lines) (b batch, err error) {
	for size := 0; len(b) < batchLines && size < batchBytes; {
		l, err := file.next()
		if err != nil {
			return b, err
		}
		size += len(l.data)
		b = append(b, decodeLine(l))
	}
	return b, nil
}

func decodeLine(l line) decodedLine {
	if l.tooLong {
		return decodedLine{number: l.number, bad: fault.New(fault.TooLarge, "", "is longer than %d bytes", MaxLine)}
	}
	entity, bad := decode(l.data)
	p := decodedLine{number: l.number, entity: entity}
	if len(bad) > 0 {
		p.bad = &fault.Fault{Kind: fault.Invalid, Message: "is not valid", Violations: bad}
	}
	return p
}

// save saves a batch, counts the results and reports the refused lines.
func (i Importer) save(ctx context.Context, b batch, counts Counts) error {
	entities := make([]rules.Entity, 0, len(b))
	for _, p := range b {
		if p.bad == nil {
			entities = append(entities, p.entity)
		}
	}
	results, err := i.Saver.Save(ctx, entities)
	if err != nil {
		return fmt.Errorf("lines %d to %d were not saved: %w", b[0].number, b[len(b)-1].number, err)
	}
	next := 0
	for _, p := range b {
		if p.bad == nil {
			counts.add(p.entity.Kind(), results[next])
			if results[next].Err != nil {
				p.bad = fault.Of(results[next].Err)
			}
			next++
		} else {
			counts.addRefused(p.kind())
		}
		if p.bad != nil {
			i.Report(p.refusal())
		}
	}
	if i.Saved != nil {
		i.Saved(len(b))
	}
	return nil
}

func (p decodedLine) kind() rules.Kind {
	if p.entity == nil {
		return ""
	}
	return p.entity.Kind()
}

func (p decodedLine) refusal() Refusal {
	r := Refusal{Line: p.number, Kind: p.kind(), Err: p.bad}
	if p.entity != nil && strings.Trim(p.entity.Key(), ".") != "" {
		r.Key = p.entity.Key()
	}
	return r
}
