package permissiontext

// descriptions describe each permission in a sentence, by bit and language.
var descriptions = map[int]map[string]string{
	0: {
		"en": "Change the organization's data", "de": "Angaben der Organisation ändern",
		"da": "Ændre organisationens oplysninger",
	},
	1: {"en": "Remove the organization", "de": "Die Organisation entfernen", "da": "Fjerne organisationen"},
	2: {
		"en": "Use the organization as the organizer of an event",
		"de": "Die Organisation als Veranstalter einer Veranstaltung verwenden",
		"da": "Bruge organisationen som arrangør af et arrangement",
	},
	3: {
		"en": "Use the organization as a partner of an event",
		"de": "Die Organisation als Partner einer Veranstaltung verwenden",
		"da": "Bruge organisationen som partner i et arrangement",
	},
	4: {
		"en": "Receive messages addressed to the organization", "de": "Nachrichten an die Organisation erhalten",
		"da": "Modtage beskeder til organisationen",
	},
	5: {
		"en": "Set the rights of members and make API keys", "de": "Rechte von Mitgliedern setzen und API-Schlüssel anlegen",
		"da": "Give medlemmer rettigheder og oprette API-nøgler",
	},
	6: {
		"en": "Invite and remove members", "de": "Mitglieder einladen und entfernen", "da": "Invitere og fjerne medlemmer",
	},
	8:  {"en": "Add venues", "de": "Orte anlegen", "da": "Oprette steder"},
	9:  {"en": "Change venues", "de": "Orte ändern", "da": "Ændre steder"},
	10: {"en": "Remove venues", "de": "Orte entfernen", "da": "Fjerne steder"},
	11: {
		"en": "Use the organization's venues in events", "de": "Orte der Organisation in Veranstaltungen verwenden",
		"da": "Bruge organisationens steder i arrangementer",
	},
	16: {"en": "Add spaces to venues", "de": "Räume in Orten anlegen", "da": "Oprette lokaler på steder"},
	17: {"en": "Change spaces", "de": "Räume ändern", "da": "Ændre lokaler"},
	18: {"en": "Remove spaces", "de": "Räume entfernen", "da": "Fjerne lokaler"},
	24: {"en": "Add events", "de": "Veranstaltungen anlegen", "da": "Oprette arrangementer"},
	25: {"en": "Change events", "de": "Veranstaltungen ändern", "da": "Ændre arrangementer"},
	26: {"en": "Remove events", "de": "Veranstaltungen entfernen", "da": "Fjerne arrangementer"},
	27: {
		"en": "Publish events and change their status", "de": "Veranstaltungen veröffentlichen und ihren Status ändern",
		"da": "Udgive arrangementer og ændre deres status",
	},
	28: {
		"en": "See how events are received", "de": "Sehen, wie Veranstaltungen ankommen",
		"da": "Se, hvordan arrangementer bliver modtaget",
	},
	29: {
		"en": "State whether there are tickets for the dates of events, and nothing else",
		"de": "Angeben, ob es für Termine noch Karten gibt, und sonst nichts",
		"da": "Angive, om der er billetter til datoerne, og intet andet",
	},
}

// Description returns a sentence about the permission, in a language of Labels.
func (i Info) Description(language string) string { return descriptions[i.Bit][language] }
