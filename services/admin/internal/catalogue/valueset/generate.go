//go:build ignore

// Generate writes cldr.json: the names of languages, countries and currencies in the languages of
// the lookups, out of the Unicode CLDR's own JSON packages (cldr-core, cldr-localenames-full and
// cldr-numbers-full, all of one version), which it expects unpacked side by side in the folder
// given as its argument:
//
//	npm install --prefix DIR cldr-core cldr-localenames-full cldr-numbers-full
//	go run generate.go DIR/node_modules
//
// golang.org/x/text carries the CLDR of 2017, without names of currencies, with Norwegian named
// Bokmål and with countries under names that they have left since; so the names come from the
// source itself.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"litfass/pkg/contracts/language"
)

// names is one list of cldr.json: by code, the name in each of the languages.
type names map[string]map[string]string

type generator struct {
	folder string
	locale map[string]locale
}

// locale holds the names in the packages of one language.
type locale struct {
	languages, territories, currencies map[string]string
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run generate.go DIR/node_modules")
	}
	g := generator{folder: os.Args[1], locale: map[string]locale{}}
	for _, code := range language.Codes {
		g.locale[code] = g.readLocale(code)
	}
	out := struct {
		CLDR       string `json:"cldr"`
		Languages  names  `json:"languages"`
		Countries  names  `json:"countries"`
		Currencies names  `json:"currencies"`
	}{g.version(), g.languages(), g.countries(), g.currencies()}
	data, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("cldr.json", append(data, '\n'), 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("CLDR %s: %d languages, %d countries, %d currencies\n",
		out.CLDR, len(out.Languages), len(out.Countries), len(out.Currencies))
}

// languages keeps the two-letter codes (ISO 639-1) that are not deprecated.
func (g generator) languages() names {
	var file struct {
		Supplemental struct {
			Metadata struct {
				Alias struct {
					LanguageAlias map[string]struct {
						Reason string `json:"_reason"`
					}
				}
			}
		}
	}
	g.read(&file, "cldr-core", "supplemental", "aliases.json")
	kept := names{}
	for code := range g.locale["en"].languages {
		if len(code) == 2 && file.Supplemental.Metadata.Alias.LanguageAlias[code].Reason != "deprecated" {
			g.keep(kept, code, func(l locale) string { return l.languages[code] })
		}
	}
	return kept
}

// countries keeps the codes that ISO 3166-1 assigns, by their alpha-3 form: numeric codes from 900
// on are for private use, and reserved or withdrawn codes have no numeric code or no name.
func (g generator) countries() names {
	var file struct {
		Supplemental struct {
			CodeMappings map[string]struct {
				Alpha3  string `json:"_alpha3"`
				Numeric string `json:"_numeric"`
			}
		}
	}
	g.read(&file, "cldr-core", "supplemental", "codeMappings.json")
	kept := names{}
	for code, forms := range file.Supplemental.CodeMappings {
		numeric, err := strconv.Atoi(forms.Numeric)
		if err == nil && numeric < 900 && len(code) == 2 && len(forms.Alpha3) == 3 {
			g.keep(kept, forms.Alpha3, func(l locale) string { return l.territories[code] })
		}
	}
	return kept
}

// currencies keeps the currencies that have been legal tender somewhere in or after 2020: listings
// of past dates keep the price of their day.
func (g generator) currencies() names {
	var file struct {
		Supplemental struct {
			CurrencyData struct {
				Region map[string][]map[string]struct {
					To     string `json:"_to"`
					Tender string `json:"_tender"`
				}
			}
		}
	}
	g.read(&file, "cldr-core", "supplemental", "currencyData.json")
	kept := names{}
	for _, used := range file.Supplemental.CurrencyData.Region {
		for _, currency := range used {
			for code, use := range currency {
				if use.Tender != "false" && (use.To == "" || use.To >= "2020") {
					g.keep(kept, code, func(l locale) string { return l.currencies[code] })
				}
			}
		}
	}
	return kept
}

// keep adds the code when it has a name in every language. A name begins with a capital, as an
// entry of a list.
func (g generator) keep(kept names, code string, name func(locale) string) {
	byLanguage := map[string]string{}
	for _, language := range languages {
		text := name(g.locale[language])
		if text == "" {
			return
		}
		first, size := utf8.DecodeRuneInString(text)
		byLanguage[language] = string(unicode.ToUpper(first)) + text[size:]
	}
	kept[code] = byLanguage
}

func (g generator) readLocale(language string) locale {
	var languages, territories struct {
		Main map[string]struct {
			LocaleDisplayNames struct {
				Languages, Territories map[string]string
			}
		}
	}
	var currencies struct {
		Main map[string]struct {
			Numbers struct {
				Currencies map[string]struct{ DisplayName string }
			}
		}
	}
	g.read(&languages, "cldr-localenames-full", "main", language, "languages.json")
	g.read(&territories, "cldr-localenames-full", "main", language, "territories.json")
	g.read(&currencies, "cldr-numbers-full", "main", language, "currencies.json")
	all := locale{
		languages:   languages.Main[language].LocaleDisplayNames.Languages,
		territories: territories.Main[language].LocaleDisplayNames.Territories,
		currencies:  map[string]string{},
	}
	for code, currency := range currencies.Main[language].Numbers.Currencies {
		all.currencies[code] = currency.DisplayName
	}
	return all
}

func (g generator) version() string {
	var file struct{ Version string }
	g.read(&file, "cldr-core", "package.json")
	return file.Version
}

func (g generator) read(into any, path ...string) {
	data, err := os.ReadFile(filepath.Join(append([]string{g.folder}, path...)...))
	if err != nil {
		log.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		log.Fatal(strings.Join(path, "/"), ": ", err)
	}
}
