package eventfile

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// The fields that a column may be.
const (
	FieldExternalID   = "external_id"
	FieldTitle        = "title"
	FieldSubtitle     = "subtitle"
	FieldSummary      = "summary"
	FieldDescription  = "description"
	FieldVenue        = "venue"
	FieldSpace        = "space"
	FieldStreet       = "street" // of the venue, as are the next three
	FieldHouseNumber  = "house_number"
	FieldPostalCode   = "postal_code"
	FieldCity         = "city"
	FieldSourceLink   = "source_link"
	FieldOnlineLink   = "online_link"
	FieldVideoLink    = "video_link"
	FieldTags         = "tags"
	FieldLanguages    = "languages"
	FieldKind         = "event_types"  // names of types
	FieldCategories   = "categories"   // names of categories
	FieldContributors = "contributors" // names with roles; see ReadContributors
	FieldSeries       = "series"       // slugs or titles of series
	FieldPrice        = "price"        // an amount, a range, or that it is free
	FieldAge          = "age"          // a lowest age, a highest one, or a range
	FieldStartDate    = "start_date"   // may also hold the time
	FieldStartTime    = "start_time"   // may be a range: 20:00–22:00
	FieldEndDate      = "end_date"
	FieldEndTime      = "end_time"
	FieldEntryTime    = "entry_time"
	FieldStatus       = "status"
	FieldTicketLink   = "ticket_link"
	FieldTariffs      = "tariffs"      // see ReadTariffs
	FieldDateTariffs  = "date_tariffs" // likewise, in place of those of the event

	FieldAvailability  = "availability" // see ReadAvailability
	FieldPlaces        = "remaining_places"
	FieldOnSaleFrom    = "on_sale_from"
	FieldOnSaleUntil   = "on_sale_until"
	FieldPreviousStart = "previous_start" // may be a day

	FieldImage          = "image" // the address of a file
	FieldImageAlt       = "image_alt"
	FieldImageCreator   = "image_creator"
	FieldImageCopyright = "image_copyright"
	FieldImageLicense   = "image_license" // an id or a name of the value set
	FieldImageAI        = "image_ai_generated"
)

// The fields of dates and places that no file has, but another Litfass.
const (
	FieldStatusNote    = "status_note"
	FieldAccessibility = "accessibility_info"
	FieldVenueWikidata = "venue_wikidata_id" // of the venue, in registers, as the next one
	FieldVenueOSM      = "venue_osm_id"
)

// Fields are all of them, in the order in which forms show them.
var Fields = []string{
	FieldTitle, FieldStartDate, FieldStartTime, FieldEndDate, FieldEndTime, FieldEntryTime, FieldVenue, FieldSpace,
	FieldStreet, FieldHouseNumber, FieldPostalCode, FieldCity, FieldSubtitle, FieldSummary, FieldDescription, FieldKind, FieldCategories, FieldTags, FieldContributors, FieldSeries, FieldPrice, FieldAge, FieldLanguages,
	FieldTariffs, FieldDateTariffs, FieldSourceLink, FieldOnlineLink, FieldVideoLink, FieldTicketLink, FieldAvailability, FieldPlaces, FieldOnSaleFrom, FieldOnSaleUntil,
	FieldPreviousStart, FieldImage, FieldImageAlt, FieldImageCreator, FieldImageCopyright,
	FieldImageLicense, FieldImageAI, FieldStatus, FieldExternalID,
}

// ofDates are the fields in which the dates of one event may differ.
var ofDates = []string{
	FieldStartDate, FieldStartTime, FieldEndDate, FieldEndTime, FieldEntryTime, FieldVenue, FieldSpace, FieldStreet,
	FieldHouseNumber, FieldPostalCode, FieldCity, FieldStatus, FieldTicketLink, FieldDateTariffs,
	FieldAvailability, FieldPlaces, FieldOnSaleFrom, FieldOnSaleUntil, FieldPreviousStart,
}

// moments are the fields of dates that are moments of their own.
var moments = []string{FieldOnSaleFrom, FieldOnSaleUntil, FieldPreviousStart}

// Names that are a day in some files and a time in others: the content decides.
const (
	startOfEither = "start"
	endOfEither   = "end"
)

// cityOrVenue are names of the venue in most files, and of its town in those that have another
// column for the venue.
const cityOrVenue = "town"

// someonesPrice are names of a price in columns with prices.
const someonesPrice = "someone"

// headers are the fields by the names of columns, as plainName writes them.
var headers = byHeader(map[string]string{
	FieldExternalID: `id uid externalid externeid eventid nr nummer veranstaltungsid veranstaltungsnummer vanr
		arrangementid eksterntid`,
	FieldTitle: `title titel name event eventname eventtitle eventtitel veranstaltung veranstaltungstitel bezeichnung
		navn overskrift arrangement arrangementnavn
		subject betreff emne was hvad what veranstaltungsname`,
	FieldSubtitle: "subtitle untertitel undertitel underoverskrift",
	FieldSummary:  "summary kurzbeschreibung kurztext teaser zusammenfassung kortbeskrivelse resume resumé",
	FieldDescription: `description beschreibung langtext text details beskrivelse info veranstaltungsbeschreibung
		langbeskrivelse
		inhalt programm ankündigung ankündigungstext veranstaltungstext`,
	FieldVenue: `venue location locationname place veranstaltungsort spielort spielstätte haus spillested lokation venuename
		veranstaltungsstätte veranstaltungsstaette spielstaette wo where hvor`,
	FieldSpace: "space room raum saal sal rum lokale bühne stage scene",
	FieldStreet: `street strasse straße address adresse anschrift gade vej gadenavn vejnavn
		straßehausnr straßehausnummer strassehausnr strassehausnummer straßenr strassenr streetaddress
		venueaddress veranstaltungsadresse veranstaltungsanschrift`,
	FieldHouseNumber: `housenumber houseno hausnummer hausnr husnummer husnr`,
	FieldPostalCode:  "postalcode postcode zip zipcode plz postleitzahl postnummer postnr",
	FieldCity: `city stadt gemeinde by kommune
		plzort plzstadt postleitzahlort postnrby postnrogby postnummerby postnummerogby postcodecity
		ziptown zipcity`,
	cityOrVenue: "town ort sted",
	FieldImage: `image imageurl picture pictureurl photo bild bildurl bildlink foto titelbild billede billedurl
		billedlink
		bilder fotourl photourl imagelink bildadresse bilddatei plakat poster flyer billedadresse`,
	FieldImageAlt:       "imagealt alt alttext bildbeschreibung alternativtext billedtekst billedbeskrivelse",
	FieldImageCreator:   "imagecreator photographer photocredit imagecredit fotograf bildnachweis urheber bildautor fotografen",
	FieldImageCopyright: "imagecopyright copyright bildrechte rechteinhaber ophavsret",
	FieldImageAI:        "imageai aigenerated kibild bildki kierzeugt aibillede",
	FieldImageLicense:   "imagelicense imagelicence license licence lizenz bildlizenz licens billedlicens",
	FieldSourceLink: `url link website webseite homepage hjemmeside sourcelink web internet weblink eventurl
		links veranstaltungslink veranstaltungsseite eventlink internetseite internetadresse webadresse
		www arrangementlink læsmere`,
	FieldOnlineLink: "onlinelink stream livestream streaming streamlink",
	FieldVideoLink:  "video videolink videourl trailer",
	FieldTags:       "tags tag keywords schlagworte schlagwörter stichworte nøgleord emneord genre",
	FieldKind: `eventtype type kind art veranstaltungsart arrangementstype begivenhedstype format
		veranstaltungstyp veranstaltungsformat eventart typ arrangementtype`,
	FieldCategories: `category kategorie kategorien kategori kategorier rubrik
		sparte eventcategory eventkategorie veranstaltungskategorie`,
	FieldContributors: `contributor contributors performer performers artist artists lineup interpret interpreten künstler künstlerin kuenstler künstlerinnen
		mitwirkende mitwirkender besetzung medvirkende kunstner kunstnere optrædende`,
	FieldSeries: "series serie reihe veranstaltungsreihe programmreihe festival festivals arrangementsrække",
	FieldPrice: `eintritt preis preise eintrittspreis kosten pris entré entre fee admission cost billetpris
		prices eintrittspreise ticketpreis ticketprice kostenpreis eintrittpreis unkostenbeitrag
		teilnahmegebühr teilnahmegebuehr gebühr gebuehr priser billetpriser entrépris entryfee vvk ak
		abendkasse costs normalpreis vollpreis`,
	someonesPrice: `erm ermäßigt ermaessigt ermäßigung reduziert erwachsene kinder schüler mitglieder nichtmitglieder
		studierende reduced concessions adults children members voksne børn medlemmer`,
	FieldAge: `ages minage mindestalter alter altersfreigabe alder aldersgrænse
		altersempfehlung altersgruppe altersangabe abalter alterab agegroup agerange recommendedage
		aldersgruppe aldersanbefaling`,
	FieldLanguages: "language languages sprache sprachen sprog",
	FieldStartDate: `date startdate datum startdatum beginndatum anfangsdatum termin dato startdato day
		veranstaltungsdatum veranstaltungstag beginntam startetam eventdate`,
	FieldStartTime: `time starttime uhrzeit zeit startzeit beginnzeit anfangszeit tid starttid klokkeslæt kl tidspunkt
		beginntum starttidspunkt startuhrzeit beginnuhrzeit uhrzeitbeginn`,
	FieldEndDate: `enddate enddatum slutdato
		endetam`,
	FieldEndTime: `endtime endzeit sluttid
		endetum sluttidspunkt enduhrzeit`,
	FieldEntryTime:    "entrytime entry doors doorsopen einlass einlasszeit dørene dørenåbner dørenåbnes indgang",
	FieldStatus:       "status",
	FieldTicketLink:   "ticketlink ticketurl tickets ticket karten kartenlink vorverkauf billet billetter billetlink",
	FieldTariffs:      "tariffs tarife pristyper",
	FieldDateTariffs:  "datetariffs termintarife terminpreise datopristyper datopriser",
	FieldAvailability: "availability verfügbarkeit verfuegbarkeit ticketstatus billetstatus",
	FieldPlaces: `remainingplaces placesleft seatsleft freieplätze freieplaetze restplätze restplaetze restkarten
		ledigepladser restpladser`,
	FieldOnSaleFrom: `onsalefrom vorverkaufab vvkab vvkstart vorverkaufsbeginn vorverkaufsstart
		billetsalgfra salgsstart forsalgsstart`,
	FieldOnSaleUntil: "onsaleuntil vorverkaufbis vvkbis vorverkaufsende billetsalgtil",
	FieldPreviousStart: `previousstart previousdate ursprünglichesdatum ursprünglichertermin früherertermin
		oprindeligdato tidligeredato`,
	startOfEither: `start starts begin beginn anfang von from fra begynder begyndelse dtstart
		wann when hvornår veranstaltungsbeginn`,
	endOfEither: "end ends ende bis to til slut dtend",
})

func byHeader(names map[string]string) map[string]string {
	fields := map[string]string{}
	for field, list := range names {
		fields[plainName(field)] = field
		for name := range strings.FieldsSeq(list) {
			fields[name] = field
		}
	}
	fields["start"], fields["end"], fields["town"] = startOfEither, endOfEither, cityOrVenue
	return fields
}

// addition is what a name adds to a field: its currency, or how to write it.
var addition = regexp.MustCompile(`(?i)\([^)]*\)|\[[^\]]*\]|\b(?:in |i )?(?:eur|euro|dkk|kr|kroner|chf)\b|\bin $`)

// fieldOfName returns the field that the name of a column says, "" for none.
func fieldOfName(name string) string {
	if field := headers[plainName(name)]; field != "" {
		return field
	}
	return headers[plainName(addition.ReplaceAllString(strings.TrimRight(name, "€$£"), ""))]
}

// plainName writes the name of a column without case, spaces and punctuation.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// IsField reports whether a column may be mapped to a field of that name.
func IsField(name string) bool { return slices.Contains(Fields, name) }
