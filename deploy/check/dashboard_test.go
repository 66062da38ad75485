package check

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// dashboard is what Grafana's model of a dashboard has and ours uses. Grafana offers no Go package
// with that model that can be fetched as a module.
type dashboard struct {
	UID           string   `json:"uid"`
	Title         string   `json:"title"`
	Description   string   `json:"description"`
	Tags          []string `json:"tags"`
	SchemaVersion int      `json:"schemaVersion"`
	Version       int      `json:"version"`
	Editable      bool     `json:"editable"`
	Refresh       string   `json:"refresh"`
	Timezone      string   `json:"timezone"`
	Time          struct {
		From string `json:"from"`
		To   string `json:"to"`
	} `json:"time"`
	Templating struct {
		List []struct {
			Name    string   `json:"name"`
			Label   string   `json:"label"`
			Type    string   `json:"type"`
			Query   string   `json:"query"`
			Current struct{} `json:"current"`
			Hide    int      `json:"hide"`
		} `json:"list"`
	} `json:"templating"`
	Annotations struct {
		List []struct{} `json:"list"`
	} `json:"annotations"`
	Links  []struct{} `json:"links"`
	Panels []panel    `json:"panels"`
}

type panel struct {
	ID          int         `json:"id"`
	Type        string      `json:"type"`
	Title       string      `json:"title"`
	Description string      `json:"description"`
	Collapsed   bool        `json:"collapsed"`
	Panels      []panel     `json:"panels"`
	Datasource  *datasource `json:"datasource"`
	Grid        grid        `json:"gridPos"`
	FieldConfig struct {
		Defaults struct {
			Unit string   `json:"unit"`
			Min  *float64 `json:"min"`
			Max  *float64 `json:"max"`
		} `json:"defaults"`
		Overrides []struct{} `json:"overrides"`
	} `json:"fieldConfig"`
	Options struct {
		Legend struct {
			DisplayMode string `json:"displayMode"`
			Placement   string `json:"placement"`
			ShowLegend  bool   `json:"showLegend"`
		} `json:"legend"`
		Tooltip struct {
			Mode string `json:"mode"`
			Sort string `json:"sort"`
		} `json:"tooltip"`
	} `json:"options"`
	Targets []struct {
		RefID      string      `json:"refId"`
		Datasource *datasource `json:"datasource"`
		Expr       string      `json:"expr"`
		Legend     string      `json:"legendFormat"`
	} `json:"targets"`
}

type datasource struct {
	Type string `json:"type"`
	UID  string `json:"uid"`
}

type grid struct {
	Height int `json:"h"`
	Width  int `json:"w"`
	X      int `json:"x"`
	Y      int `json:"y"`
}

// overlaps reports whether two panels would cover one another.
func (g grid) overlaps(other grid) bool {
	return g.X < other.X+other.Width && other.X < g.X+g.Width && g.Y < other.Y+other.Height && other.Y < g.Y+g.Height
}

// units are the Grafana units that the dashboard uses.
var units = []string{"reqps", "ops", "s", "bytes", "percentunit", "short"}

func readDashboard(t *testing.T) dashboard {
	t.Helper()
	content, err := os.ReadFile("../observe/grafana/litfass.json")
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	var d dashboard
	if err := decoder.Decode(&d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDashboard: every panel has its own place, reads from the data source that the user chooses,
// and asks for metrics that the services export.
func TestDashboard(t *testing.T) {
	d := readDashboard(t)
	if d.UID == "" || d.Title == "" || len(d.Templating.List) != 1 || d.Templating.List[0].Name != "datasource" {
		t.Errorf("%q %q chooses by %+v", d.UID, d.Title, d.Templating.List)
	}
	own := datasource{Type: "prometheus", UID: "${datasource}"}
	for i, p := range d.Panels {
		if p.Grid.X < 0 || p.Grid.X+p.Grid.Width > 24 || p.Grid.Width <= 0 || p.Grid.Height <= 0 {
			t.Errorf("%q lies at %+v", p.Title, p.Grid)
		}
		for _, other := range d.Panels[:i] {
			if other.ID == p.ID || other.Grid.overlaps(p.Grid) {
				t.Errorf("%q and %q have one id or place", other.Title, p.Title)
			}
		}
		if p.Type == "row" {
			continue
		}
		if p.Type != "timeseries" || p.Datasource == nil || *p.Datasource != own || !slices.Contains(units, p.FieldConfig.Defaults.Unit) {
			t.Errorf("%q: %s from %v in %s", p.Title, p.Type, p.Datasource, p.FieldConfig.Defaults.Unit)
		}
		checkTargets(t, p, own)
	}
}

func checkTargets(t *testing.T, p panel, own datasource) {
	t.Helper()
	var refs []string
	for _, target := range p.Targets {
		if slices.Contains(refs, target.RefID) || target.RefID == "" || target.Datasource == nil || *target.Datasource != own {
			t.Errorf("%q: target %q from %v", p.Title, target.RefID, target.Datasource)
		}
		refs = append(refs, target.RefID)
		expression := strings.ReplaceAll(target.Expr, "$__rate_interval", "5m") // as Grafana does
		for _, problem := range checkExpression(t, expression) {
			t.Errorf("%q: %s", p.Title, problem)
		}
	}
	if len(refs) == 0 {
		t.Errorf("%q shows nothing", p.Title)
	}
}
