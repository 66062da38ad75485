package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
)

// report is the result of a run.
type report struct {
	Machine map[string]string `json:"machine"`
	Engines map[string]string `json:"engines"`
	Figures []figure          `json:"figures"`
	Failure string            `json:"failure,omitempty"` // what ended the run early or was wrong in it

	small bool    // figures are not compared with their aims
	wrong []error // counts that had to be 0
}

// figure is one measured value, with its bound on a machine with two cores and no other load.
type figure struct {
	Part  string  `json:"part"`
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
	Aim   string  `json:"aim,omitempty"`
	Met   *bool   `json:"met,omitempty"`
}

// aim is the bound of a figure.
type aim struct {
	sign  string
	bound float64
}

func atLeast(bound float64) aim { return aim{">=", bound} }
func atMost(bound float64) aim  { return aim{"<=", bound} }

func (a aim) met(value float64) bool {
	if a.sign == ">=" {
		return value >= a.bound
	}
	return value <= a.bound
}

// add adds a figure without an aim.
func (r *report) add(part, name string, value float64, unit string) {
	r.Figures = append(r.Figures, figure{Part: part, Name: name, Value: value, Unit: unit})
}

// none adds a count of wrong answers, or of requests without an answer. A count above zero fails
// the run at its end; first describes the first wrong answer, if known.
func (r *report) none(part, name string, count int, first error) {
	met := count == 0
	r.Figures = append(r.Figures, figure{Part: part, Name: name, Value: float64(count), Aim: "0", Met: &met})
	switch {
	case met:
	case first != nil:
		r.wrong = append(r.wrong, fmt.Errorf("%s: %s: %d: %w", part, name, count, first))
	default:
		r.wrong = append(r.wrong, fmt.Errorf("%s: %s: %d", part, name, count))
	}
}

// aimed adds a figure with its aim. A small run ignores aims, since machine and size of the
// catalogue decide.
func (r *report) aimed(part, name string, value float64, unit string, a aim) {
	if r.small {
		r.add(part, name, value, unit)
		return
	}
	met := a.met(value)
	r.Figures = append(r.Figures, figure{
		Part: part, Name: name, Value: value, Unit: unit, Aim: fmt.Sprintf("%s %g", a.sign, a.bound), Met: &met,
	})
}

// judged adds a figure with its aim, or without one for the zero aim.
func (r *report) judged(part, name string, value float64, unit string, a aim) {
	if a == (aim{}) {
		r.add(part, name, value, unit)
		return
	}
	r.aimed(part, name, value, unit, a)
}

// print writes the figures as a table.
func (r *report) print(w io.Writer) {
	fmt.Fprintf(w, "machine: %v\nengines: %v\n\n", r.Machine, r.Engines)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "part\tfigure\tmeasured\t\taim\t")
	for _, f := range r.Figures {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", f.Part, f.Name, rounded(f.Value), f.Unit, f.Aim, f.verdict())
	}
	table.Flush()
}

func (f figure) verdict() string {
	switch {
	case f.Met == nil:
		return ""
	case *f.Met:
		return "met"
	default:
		return "MISSED"
	}
}

// rounded rounds to about three digits.
func rounded(value float64) string {
	switch {
	case value >= 100 || value == float64(int(value)):
		return fmt.Sprintf("%.0f", value)
	case value >= 10:
		return fmt.Sprintf("%.1f", value)
	default:
		return fmt.Sprintf("%.2f", value)
	}
}

// write writes the figures as JSON.
func (r *report) write(path string) error {
	content, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, append(content, '\n'), 0o644)
}
