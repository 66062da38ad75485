package main

import (
	"fmt"
	"io"
	"time"
)

func (r drillRow) String() string {
	if r.untried != nil {
		return fmt.Sprintf("%s: %v", r.name, r.untried)
	}
	return fmt.Sprintf("%s: %d of %d reads failed, %d stale of %d, %d lost, recovered after %s",
		r.name, r.failed, r.reads, r.stale, r.checked, r.lost, r.recovery.Round(time.Millisecond))
}

// report adds the rows to the figures.
func (d *drill) report() {
	for _, r := range d.rows {
		if r.untried != nil {
			continue
		}
		part := "drill: " + r.name
		d.bench.report.add(part, "reads", float64(r.reads), "")
		d.bench.report.add(part, "reads failed", float64(r.failed), "")
		d.bench.report.add(part, "longest time without a read", r.gap.Seconds(), "s")
		d.bench.report.add(part, "edits", float64(r.edits), "")
		d.bench.report.add(part, "edits repeated", float64(r.repeated), "")
		d.bench.report.aimed(part, "changes lost", float64(r.lost), "", atMost(0))
		d.bench.report.add(part, "answers checked", float64(r.checked), "")
		d.bench.report.aimed(part, "stale answers", float64(r.stale), "", atMost(0))
		d.bench.report.add(part, "until an edit is public again", r.recovery.Seconds(), "s")
	}
}

// print writes the rows as a table of Markdown.
func (d *drill) print(w io.Writer) {
	fmt.Fprintln(w, "| fault | reads failed | longest without a read | writes sent again | changes lost | stale answers | recovered after |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- | --- |")
	for _, r := range d.rows {
		if r.untried != nil {
			fmt.Fprintf(w, "| %s | %v | | | | | |\n", r.name, r.untried)
			continue
		}
		fmt.Fprintf(w, "| %s, %s | %d of %d | %.1f s | %d of %d | %d | %d of %d | %.1f s |\n",
			r.name, r.lasting, r.failed, r.reads, r.gap.Seconds(), r.repeated, r.edits, r.lost, r.stale, r.checked, r.recovery.Seconds())
	}
	fmt.Fprintln(w)
}
