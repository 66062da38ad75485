package catalogfile

import (
	"fmt"
	"io"
	"text/tabwriter"

	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
)

// Count counts the results for entities of one kind.
type Count struct {
	Created, Changed, Unchanged, Refused int
}

// Counts are the counts by kind; lines without a kind are counted under "".
type Counts map[rules.Kind]Count

// add counts the result for one entity.
func (c Counts) add(kind rules.Kind, result editing.Result) {
	count := c[kind]
	switch {
	case result.Err != nil:
		count.Refused++
	case result.Outcome == editing.Created:
		count.Created++
	case result.Outcome == editing.Changed:
		count.Changed++
	default:
		count.Unchanged++
	}
	c[kind] = count
}

func (c Counts) addRefused(kind rules.Kind) {
	count := c[kind]
	count.Refused++
	c[kind] = count
}

// Total returns the sums over all kinds.
func (c Counts) Total() Count {
	var total Count
	for _, count := range c {
		total.Created += count.Created
		total.Changed += count.Changed
		total.Unchanged += count.Unchanged
		total.Refused += count.Refused
	}
	return total
}

// Write writes the counts as a table, a row for each kind.
func (c Counts) Write(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "\tcreated\tchanged\tunchanged\trefused\t\n")
	row := func(name string, n Count) {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t\n", name, n.Created, n.Changed, n.Unchanged, n.Refused)
	}
	for _, kind := range rules.Kinds {
		row(string(kind), c[kind])
	}
	if unknown := c[""]; unknown.Refused > 0 {
		row("unknown", unknown)
	}
	return table.Flush()
}
