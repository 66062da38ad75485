package dump

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/contracts/language"
	"litfass/services/query/internal/feed"
)

// Base is the path below which the files of the last dump are.
const Base = "/api/dumps/"

// Description is the origin of the data for a catalogue of open data.
type Description struct {
	Site    feed.Site
	License string // an address; "" where none is stated
}

// authority are the addresses of the vocabularies of the European Union that DCAT-AP asks for.
const authority = "http://publications.europa.eu/resource/authority/"

type node = map[string]any

func ref(address string) node { return node{"@id": address} }

func typed(kind, text string) node { return node{"@type": kind, "@value": text} }

// prefixes are those of the terms.
var prefixes = node{
	"dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/", "foaf": "http://xmlns.com/foaf/0.1/",
	"vcard": "http://www.w3.org/2006/vcard/ns#", "spdx": "http://spdx.org/rdf/terms#", "xsd": "http://www.w3.org/2001/XMLSchema#",
	"dcatap": "http://data.europa.eu/r5r/", "geo": "http://www.opengis.net/ont/geosparql#", "adms": "http://www.w3.org/ns/adms#",
}

// languages are the languages of names by the codes of the vocabulary.
var languages = map[string]string{"en": "ENG", "de": "DEU", "da": "DAN"}

// The texts by language; %s is the name of the site.
var (
	catalogTitle = map[string]string{"en": "Open data of %s", "de": "Offene Daten von %s", "da": "Åbne data fra %s"}
	catalogAbout = map[string]string{
		"en": "The event calendar %s as open data.", "de": "Der Veranstaltungskalender %s als offene Daten.",
		"da": "Arrangementskalenderen %s som åbne data.",
	}
	datasetTitle = map[string]string{"en": "Events of %s", "de": "Veranstaltungen von %s", "da": "Arrangementer fra %s"}
	datasetAbout = map[string]string{
		"en": "Public events with their dates, venues, prices and accessibility. The files are written once a day; the API has every change at once.",
		"de": "Öffentliche Veranstaltungen mit Terminen, Orten, Preisen und Barrierefreiheit. Die Dateien entstehen einmal am Tag, die Schnittstelle zeigt jede Änderung sofort.",
		"da": "Offentlige arrangementer med datoer, steder, priser og tilgængelighed. Filerne skrives en gang om dagen; API’et viser hver ændring med det samme.",
	}
	serviceTitle = map[string]string{"en": "API of %s", "de": "Schnittstelle von %s", "da": "API for %s"}
	keywords     = map[string][]string{
		"en": {"events", "culture", "calendar"}, "de": {"Veranstaltungen", "Kultur", "Kalender"}, "da": {"arrangementer", "kultur", "kalender"},
	}
)

// DCAT describes the data as a catalogue of DCAT-AP 3 in JSON-LD, with the files of a dump, unless
// it is the zero value.
func (d Description) DCAT(m Manifest) map[string]any {
	dataset := d.dataset(m)
	catalog := node{
		"@context": prefixes, "@id": d.Site.URL + "/api/catalog.jsonld", "@type": "dcat:Catalog",
		"dct:title": d.texts(catalogTitle), "dct:description": d.texts(catalogAbout), "dct:publisher": d.publisher(),
		"foaf:homepage": ref(d.Site.URL + "/"), "dct:language": vocabulary(),
		"dcat:themeTaxonomy": ref(authority + "data-theme"),
		"dcat:dataset":       []node{dataset}, "dcat:service": []node{d.service()},
	}
	d.license(catalog)
	for _, term := range []string{"dct:modified", "dct:spatial"} {
		if of, known := dataset[term]; known {
			catalog[term] = of
		}
	}
	return catalog
}

func (d Description) dataset(m Manifest) node {
	words := []node{}
	for _, code := range language.Codes {
		for _, word := range keywords[code] {
			words = append(words, node{"@language": code, "@value": word})
		}
	}
	set := node{
		"@id": d.id("dataset"), "@type": "dcat:Dataset", "dct:title": d.texts(datasetTitle), "dct:description": d.texts(datasetAbout),
		"dct:publisher": d.publisher(), "dcat:contactPoint": d.contact(), "dcat:keyword": words,
		"dcat:theme": ref(authority + "data-theme/EDUC"), "dct:language": vocabulary(), "dcat:landingPage": ref(d.Site.URL + "/"),
		"dct:accrualPeriodicity": ref(authority + "frequency/DAILY"), "dct:accessRights": ref(authority + "access-right/PUBLIC"),
		"dct:identifier": d.id("dataset"),
	}
	files := []node{}
	for _, f := range m.Files {
		files = append(files, d.distribution(m, f))
	}
	set["dcat:distribution"] = files
	if m.Modified.IsZero() {
		return set
	}
	set["dct:modified"] = moment(m.Modified)
	if m.FirstDay != "" {
		set["dct:temporal"] = node{
			"@type": "dct:PeriodOfTime", "dcat:startDate": typed("xsd:date", m.FirstDay), "dcat:endDate": typed("xsd:date", m.LastDay),
		}
	}
	if m.Box != nil {
		set["dct:spatial"] = node{"@type": "dct:Location", "dcat:bbox": typed("geo:wktLiteral", m.Box.polygon())}
	}
	return set
}

// formats are the formats of files in the vocabulary, and their media types.
var formats = map[string]struct{ format, media, packed string }{
	FileJSON: {"JSON", "https://www.iana.org/assignments/media-types/application/jsonl", "https://www.iana.org/assignments/media-types/application/gzip"},
	FileCSV:  {"CSV", "https://www.iana.org/assignments/media-types/text/csv", ""},
	FileXLSX: {"XLSX", "https://www.iana.org/assignments/media-types/" + feed.ContentTypeXLSX, ""},
}

func (d Description) distribution(m Manifest, f File) node {
	address, of := d.Site.URL+Base+f.Name, formats[f.Name]
	file := node{
		"@id": address, "@type": "dcat:Distribution", "dct:title": f.Name, "dct:description": d.texts(datasetAbout),
		"dcat:accessURL": ref(address), "dcat:downloadURL": ref(address),
		"dct:format": ref(authority + "file-type/" + of.format), "dcat:mediaType": ref(of.media),
		"dcat:byteSize": typed("xsd:nonNegativeInteger", strconv.FormatInt(f.Size, 10)), "dct:modified": moment(m.Modified),
		"spdx:checksum": node{
			"@type": "spdx:Checksum", "spdx:algorithm": ref("http://spdx.org/rdf/terms#checksumAlgorithm_sha256"),
			"spdx:checksumValue": typed("xsd:hexBinary", f.SHA256),
		},
		"dcatap:availability": ref(authority + "planned-availability/STABLE"), "adms:status": ref(authority + "distribution-status/COMPLETED"),
	}
	if of.packed != "" {
		file["dcat:compressFormat"] = ref(of.packed)
	}
	d.license(file)
	return file
}

func (d Description) service() node {
	service := node{
		"@id": d.id("api"), "@type": "dcat:DataService", "dct:title": d.texts(serviceTitle), "dct:publisher": d.publisher(),
		"dcat:endpointURL": ref(d.Site.URL + "/api"), "dcat:endpointDescription": ref(d.Site.URL + "/api/openapi.json"),
		"dcat:servesDataset": ref(d.id("dataset")), "dcat:contactPoint": d.contact(), "dcat:theme": ref(authority + "data-theme/EDUC"),
	}
	d.license(service)
	return service
}

func (d Description) publisher() node {
	return node{"@id": d.id("publisher"), "@type": "foaf:Agent", "foaf:name": d.Site.Name, "foaf:homepage": ref(d.Site.URL + "/")}
}

func (d Description) contact() node {
	return node{"@id": d.id("contact"), "@type": "vcard:Organization", "vcard:fn": d.Site.Name, "vcard:hasURL": ref(d.Site.URL + "/")}
}

// id returns the address of a thing that the catalogue describes.
func (d Description) id(name string) string { return d.Site.URL + "/api/catalog.jsonld#" + name }

// license adds the licence, if one is stated.
func (d Description) license(of node) {
	if d.License != "" {
		of["dct:license"] = ref(d.License)
	}
}

// texts returns a text in each language.
func (d Description) texts(of map[string]string) []node {
	list := make([]node, len(language.Codes))
	for n, code := range language.Codes {
		text := of[code]
		if text == "" {
			text = of[language.Default]
		}
		list[n] = node{"@language": code, "@value": strings.ReplaceAll(text, "%s", d.Site.Name)}
	}
	return list
}

// vocabulary returns the languages of the data.
func vocabulary() (list []node) {
	for _, code := range language.Codes {
		list = append(list, ref(authority+"language/"+languages[code]))
	}
	return list
}

func moment(at time.Time) node { return typed("xsd:dateTime", at.UTC().Format(time.RFC3339)) }

// polygon writes the box as well-known text.
func (b Box) polygon() string {
	return fmt.Sprintf("POLYGON((%[1]g %[2]g,%[3]g %[2]g,%[3]g %[4]g,%[1]g %[4]g,%[1]g %[2]g))", b.West, b.South, b.East, b.North)
}
