import type { components, operations } from "./openapi.js";

type Schemas = components["schemas"];
type Parameters<Operation extends keyof operations> = NonNullable<operations[Operation]["parameters"]["query"]>;

/** The parameters of a search for dates. */
export type EventSearch = Schemas["EventSearchQuery"];
export type FacetsQuery = Schemas["FacetsQuery"];
export type VenueSearch = Parameters<"getVenues">;
export type OrganizationSearch = Parameters<"getOrganizations">;
export type ContributorSearch = Parameters<"getContributors">;
export type SeriesQuery = Parameters<"getAllSeries">;
export type SuggestQuery = Parameters<"getSuggest">;

export type EventsFound = Schemas["EventsFound"];
/** A date of an event, as the search shows it. */
export type DateEntry = Schemas["EventEntry"];
export type Facets = Schemas["Facets"];
/** A whole event with its dates. `Event` is another thing in browsers. */
export type EventDetails = Schemas["Event"];
export type Venue = Schemas["VenueDetails"];
export type VenuesFound = Schemas["VenuesFound"];
export type Organization = Schemas["Organization"];
export type OrganizationsFound = Schemas["OrganizationsFound"];
/** A person or group that takes part in events. */
export type Contributor = Schemas["Contributor"];
export type ContributorsFound = Schemas["ContributorsFound"];
/** A festival, a run or a programme, to which events of several organizations may belong. */
export type Series = Schemas["PublicSeries"];
export type SeriesFound = Schemas["AllSeries"];
export type Suggestions = Schemas["Suggestions"];
/** Why a field of a request is invalid. */
export type Violation = Schemas["Violation"];

/** An answer, with the position up to which it is complete; `null` while that is not known. */
export type Complete<T> = T & { readonly position: string | null };

/** The entries of the change feed by its kinds. */
export interface EntryOf {
  dates: Omit<DateEntry, "search_rank" | "date_count">;
  events: Omit<DateEntry, "search_rank" | "date_count">;
  venues: Venue;
  organizations: Organization;
  contributors: Contributor;
  /** With only days of its own. */
  series: Omit<Series, "date_count">;
}
export type Kind = keyof EntryOf;

type ChangesParameters = Parameters<"getChanges">;
/** The filters of the change feed, with the types that the search has for them. */
export type ChangesFilter = {
  [Name in Exclude<keyof ChangesParameters, "kind" | "after" | "limit" | "wait">]?: Name extends keyof EventSearch
    ? EventSearch[Name]
    : ChangesParameters[Name];
};

/** An entity with its newest state. */
export type Change<K extends Kind = "dates"> = {
  uuid: string;
  /** Of the event of a date. */
  event_uuid?: string;
  /** How many dates of an event are found. */
  date_count?: number;
} & ({ change: "entered" | "changed"; entry: EntryOf[K] } | { change: "left"; entry: null });

/** Changes, in the order of the last change of each entity. */
export interface ChangesPage<K extends Kind = "dates"> {
  changes: Change<K>[];
  /** To go on from, once all changes are stored. */
  position: string;
}
