// Package permissiontext labels and describes the permissions and roles of package permission.
package permissiontext

import "litfass/pkg/contracts/permission"

// Info describes one permission to people and clients.
type Info struct {
	Bit    int
	Set    permission.Set
	Group  string // organization, venue, space or event
	Name   string // the interface's own
	Labels map[string]string
}

// Infos lists every permission by bit. Labels are by language.
var Infos = []Info{
	info(0, "organization", "EditOrganization", "Edit organization", "Organisation bearbeiten", "Rediger organisation"),
	info(1, "organization", "DeleteOrganization", "Delete organization", "Organisation löschen", "Slet organisation"),
	info(2, "organization", "ChooseAsEventOrganization", "Choose as event organization",
		"Als Veranstalter wählen", "Vælg som arrangør"),
	info(3, "organization", "ChooseAsEventPartner", "Choose as event partner", "Als Partner wählen", "Vælg som partner"),
	info(4, "organization", "ReceiveOrganizationMsgs", "Can Receive Messages",
		"Nachrichten empfangen", "Modtag beskeder"),
	info(5, "organization", "ManagePermissions", "Manage permissions", "Rechte verwalten", "Administrer rettigheder"),
	info(6, "organization", "ManageTeam", "Manage team", "Team verwalten", "Administrer team"),
	info(8, "venue", "AddVenue", "Add Venue", "Ort anlegen", "Opret sted"),
	info(9, "venue", "EditVenue", "Edit Venue", "Ort bearbeiten", "Rediger sted"),
	info(10, "venue", "DeleteVenue", "Delete Venue", "Ort löschen", "Slet sted"),
	info(11, "venue", "ChooseVenue", "Choose Venue", "Ort wählen", "Vælg sted"),
	info(16, "space", "AddSpace", "Add Space", "Raum anlegen", "Opret lokale"),
	info(17, "space", "EditSpace", "Edit Space", "Raum bearbeiten", "Rediger lokale"),
	info(18, "space", "DeleteSpace", "Delete Space", "Raum löschen", "Slet lokale"),
	info(24, "event", "AddEvent", "Add Event", "Veranstaltung anlegen", "Opret arrangement"),
	info(25, "event", "EditEvent", "Edit Event", "Veranstaltung bearbeiten", "Rediger arrangement"),
	info(26, "event", "DeleteEvent", "Delete Event", "Veranstaltung löschen", "Slet arrangement"),
	info(27, "event", "ReleaseEvent", "Release Event", "Veranstaltung veröffentlichen", "Udgiv arrangement"),
	info(28, "event", "ViewEventInsights", "View Insights", "Auswertungen ansehen", "Se statistik"),
	info(29, "event", "SetAvailability", "Set availability", "Verfügbarkeit setzen", "Angiv ledige pladser"),
}

func info(bit int, group, name, english, german, danish string) Info {
	return Info{Bit: bit, Set: 1 << bit, Group: group, Name: name, Labels: labels(english, german, danish)}
}

func labels(english, german, danish string) map[string]string {
	return map[string]string{"en": english, "de": german, "da": danish}
}
