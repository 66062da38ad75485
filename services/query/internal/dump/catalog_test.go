package dump

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"litfass/services/query/internal/feed"
)

// asked are the properties that DCAT-AP 3.0 makes mandatory or recommended for each class, and the
// optional ones by which a program can fetch and check a file. Of the recommended ones three are
// left out: the release date of the catalogue, which is not known, the keywords of the data
// service, which are those of the dataset, and the type of an agent.
var asked = map[string][]string{
	"dcat:Catalog": {
		"dct:title", "dct:description", "dct:publisher", "dcat:dataset", // mandatory
		"foaf:homepage", "dct:language", "dct:license", "dct:modified", "dct:spatial", "dcat:themeTaxonomy", "dcat:service",
	},
	"dcat:Dataset": {
		"dct:title", "dct:description", // mandatory
		"dcat:contactPoint", "dcat:distribution", "dcat:keyword", "dct:publisher", "dct:spatial", "dct:temporal", "dcat:theme",
		"dct:modified", "dct:accrualPeriodicity", "dct:accessRights",
	},
	"dcat:Distribution": {
		"dcat:accessURL", // mandatory
		"dcatap:availability", "dct:description", "dct:format", "dct:license",
		"dcat:byteSize", "spdx:checksum", "dct:modified", "dcat:downloadURL", "dcat:mediaType",
	},
	"dcat:DataService": {
		"dcat:endpointURL", "dct:title", // mandatory
		"dcat:contactPoint", "dcat:endpointDescription", "dct:publisher", "dcat:theme", "dcat:servesDataset", "dct:license",
	},
	"foaf:Agent":         {"foaf:name"},
	"spdx:Checksum":      {"spdx:algorithm", "spdx:checksumValue"},
	"dct:PeriodOfTime":   {"dcat:startDate", "dcat:endDate"},
	"dct:Location":       {"dcat:bbox"},
	"vcard:Organization": {"vcard:fn", "vcard:hasURL"},
}

func described(t *testing.T, d Description, m Manifest) map[string]any {
	t.Helper()
	data, err := json.Marshal(d.DCAT(m))
	if err != nil {
		t.Fatal(err)
	}
	var catalog map[string]any
	if err := json.Unmarshal(data, &catalog); err != nil {
		t.Fatal(err)
	}
	return catalog
}

// visit calls use for each object of a document, and each of its terms.
func visit(value any, use func(object map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		use(value)
		for _, member := range value {
			visit(member, use)
		}
	case []any:
		for _, item := range value {
			visit(item, use)
		}
	}
}

var site = Description{Site: feed.Site{Name: "Kiel & Küste", URL: "https://kiel.example"}, License: "https://creativecommons.org/publicdomain/zero/1.0/"}

func lastDump() Manifest {
	return Manifest{
		Modified: time.Date(2026, time.November, 20, 3, 31, 0, 0, time.UTC), Events: 2, Dates: 3, FirstDay: "2026-01-02", LastDay: "2027-03-04",
		Box:   &Box{9, 54, 10.5, 55},
		Files: []File{{FileJSON, "application/gzip", 10, "ab"}, {FileCSV, "text/csv", 20, "cd"}, {FileXLSX, feed.ContentTypeXLSX, 30, "ef"}},
	}
}

// TestTheCatalogueHasWhatDCATAsksFor: every property of asked, of every thing of a class; prefixes
// are declared, and addresses are absolute.
func TestTheCatalogueHasWhatDCATAsksFor(t *testing.T) {
	catalog, seen := described(t, site, lastDump()), map[string]int{}
	declared := catalog["@context"].(map[string]any)
	delete(catalog, "@context")
	visit(catalog, func(object map[string]any) {
		kind, _ := object["@type"].(string)
		seen[kind]++
		for _, property := range asked[kind] {
			if value, there := object[property]; !there || value == nil || value == "" {
				t.Errorf("%s %v lacks %s", kind, object["@id"], property)
			}
		}
		for term := range object {
			prefix, _, prefixed := strings.Cut(term, ":")
			if prefixed && declared[prefix] == nil {
				t.Errorf("the prefix of %s is not declared", term)
			}
		}
		if id, named := object["@id"].(string); named && !strings.HasPrefix(id, "https://") && !strings.HasPrefix(id, "http://") {
			t.Errorf("%q is no absolute address", id)
		}
	})
	for kind := range asked {
		if seen[kind] == 0 {
			t.Errorf("there is no %s", kind)
		}
	}
	if seen["dcat:Distribution"] != 3 || seen["dcat:Dataset"] != 1 {
		t.Errorf("there are %v", seen)
	}
	text, err := json.Marshal(catalog)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`POLYGON((9 54,10.5 54,10.5 55,9 55,9 54))`, `"2026-01-02"`, `"2027-03-04"`, `"2026-11-20T03:31:00Z"`, `Veranstaltungen von Kiel`,
		`authority/file-type/XLSX`, `authority/language/DAN`, `"@value":"20"`, `https://kiel.example/api/dumps/events.jsonl.gz`,
	} {
		if !strings.Contains(string(text), part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
}

// TestAnUnknownIsNotDescribed: without a dump, a licence or places.
func TestAnUnknownIsNotDescribed(t *testing.T) {
	plain := site
	plain.License = ""
	visit(described(t, plain, Manifest{}), func(object map[string]any) {
		for _, term := range []string{"dct:license", "dct:modified", "dct:spatial", "dct:temporal", "dcat:downloadURL"} {
			if of, there := object[term]; there {
				t.Errorf("%v: %s is %v", object["@type"], term, of)
			}
		}
	})
}
