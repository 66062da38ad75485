package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
)

// report is what a run has found.
type report struct {
	Machine map[string]string `json:"machine"`
	Engines map[string]string `json:"engines"`
	Figures []figure          `json:"figures"`
}

// figure is one measured value. Aim is what it should be on a machine with two cores; empty when there is none.
type figure struct {
	Part  string  `json:"part"`
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Aim   string  `json:"aim,omitempty"`
}

func (r *report) add(part, name string, value float64, unit, aim string) {
	r.Figures = append(r.Figures, figure{part, name, value, unit, aim})
}

// print writes a table for people.
func (r *report) print(w io.Writer) {
	fmt.Fprintf(w, "machine: %v\nengines: %v\n\n", r.Machine, r.Engines)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "part\tfigure\tvalue\t\taim")
	for _, f := range r.Figures {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", f.Part, f.Name, rounded(f.Value), f.Unit, f.Aim)
	}
	table.Flush()
}

// rounded keeps about three digits.
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
