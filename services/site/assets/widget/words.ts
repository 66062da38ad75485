// The words of the widget in its languages, and how dates and times are written in them.
const words = {
  en: {
    tag: "en-GB",
    all: "All events",
    feed: "Add to calendar",
    none: "No events found",
    failed: "The events cannot be shown right now.",
    cancelled: "Cancelled",
    deferred: "Postponed",
    rescheduled: "New date",
    sold_out: "Sold out",
    online: "online",
    whole: "all day",
    until: "On view until %d",
    permanent: "Permanent",
    before: "Back",
    after: "Forward",
    further: "and %n more",
    first: "Only the first %n dates are shown.",
    clock: "%t",
  },
  de: {
    tag: "de",
    all: "Alle Veranstaltungen",
    feed: "In den Kalender",
    none: "Keine Veranstaltungen gefunden",
    failed: "Die Veranstaltungen können gerade nicht gezeigt werden.",
    cancelled: "Fällt aus",
    deferred: "Verschoben",
    rescheduled: "Neuer Termin",
    sold_out: "Ausverkauft",
    online: "online",
    whole: "ganztägig",
    until: "Noch bis %d",
    permanent: "Dauerhaft",
    before: "Zurück",
    after: "Weiter",
    further: "und %n weitere",
    first: "Nur die ersten %n Termine werden gezeigt.",
    clock: "%t Uhr",
  },
  da: {
    tag: "da",
    all: "Alle arrangementer",
    feed: "Føj til kalender",
    none: "Ingen arrangementer fundet",
    failed: "Arrangementerne kan ikke vises lige nu.",
    cancelled: "Aflyst",
    deferred: "Udskudt",
    rescheduled: "Ny dato",
    sold_out: "Udsolgt",
    online: "online",
    whole: "hele dagen",
    until: "Til og med %d",
    permanent: "Permanent",
    before: "Tilbage",
    after: "Frem",
    further: "og %n mere",
    first: "Kun de første %n datoer vises.",
    clock: "kl. %t",
  },
};

export type Words = (typeof words)["en"] & { code: string };

// Returns the words for a language tag such as "de-AT"; those in English for a language without.
export function wordsFor(tag: string): Words {
  const code = tag.slice(0, 2).toLowerCase();
  return code in words ? { ...words[code as "en"], code } : { ...words.en, code: "en" };
}

// Writes the day of an ISO date, with its parts as Intl takes them.
export function day(words: Words, iso: string, parts: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(words.tag, { ...parts, timeZone: "UTC" }).format(new Date(iso));
}

export function clock(words: Words, time: string): string {
  return words.clock.replace("%t", words.code === "da" ? time.replace(":", ".") : time);
}
