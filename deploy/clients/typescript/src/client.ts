import { type ChangesOptions, type ChangesQuery, follow } from "./changes.js";
import { type MirrorQuery, type MirroredKind, type Store, mirror, refresh } from "./mirror.js";
import { type Ask, type ClientOptions, type RequestOptions, Transport } from "./transport.js";
import type {
  ChangesPage,
  Complete,
  Contributor,
  ContributorSearch,
  ContributorsFound,
  DateEntry,
  EventDetails,
  EventSearch,
  EventsFound,
  Facets,
  FacetsQuery,
  Kind,
  Organization,
  OrganizationSearch,
  OrganizationsFound,
  Series,
  SeriesFound,
  SeriesQuery,
  SuggestQuery,
  Suggestions,
  Venue,
  VenueSearch,
  VenuesFound,
} from "./types.js";

const pageSize = 200;

/** Reads the public catalogue of one service. */
export class Litfass {
  readonly #transport: Transport;

  constructor(options: ClientOptions | string) {
    this.#transport = new Transport(typeof options === "string" ? { baseUrl: options } : options);
  }

  /** A page of the dates that a search finds. */
  search(query: EventSearch = {}, options: RequestOptions = {}): Promise<Complete<EventsFound>> {
    return this.#read({ path: "/api/events", query, postable: true, ...options });
  }

  /**
   * All dates that a search finds, page by page, in the order of the search. Without words, and unless they are sorted by
   * their change, each date comes once even while others are added.
   */
  async *dates(query: EventSearch = {}, options: RequestOptions = {}): AsyncGenerator<DateEntry, void> {
    const { limit = pageSize, offset, ...rest } = query;
    let cursor: EventSearch = offset === undefined ? {} : { offset };
    for (;;) {
      const page = await this.search({ ...rest, limit, ...cursor }, options);
      yield* page.events;
      if (page.events.length < limit || page.last_event_start_at === null || page.last_event_date_uuid === null) {
        return;
      }
      cursor = { last_event_start_at: page.last_event_start_at, last_event_date_uuid: page.last_event_date_uuid };
    }
  }

  /** Counts what a search finds by the values of some dimensions. */
  facets(query: FacetsQuery, options: RequestOptions = {}): Promise<Complete<Facets>> {
    return this.#read({ path: "/api/events/facets", query, postable: true, ...options });
  }

  /** An event with all its dates; `lang` is the language of names. */
  event(uuid: string, options: RequestOptions & { lang?: string } = {}): Promise<Complete<EventDetails>> {
    return this.#one("event", uuid, options);
  }

  /** A venue with its spaces. */
  venue(uuid: string, options: RequestOptions & { lang?: string } = {}): Promise<Complete<Venue>> {
    return this.#one("venue", uuid, options);
  }

  /** A page of the venues that a search finds. */
  venues(query: VenueSearch = {}, options: RequestOptions = {}): Promise<Complete<VenuesFound>> {
    return this.#read({ path: "/api/venues", query, ...options });
  }

  organization(uuid: string, options: RequestOptions & { lang?: string } = {}): Promise<Complete<Organization>> {
    return this.#one("organization", uuid, options);
  }

  /** A page of the organizations with a text in their names. */
  organizations(query: OrganizationSearch, options: RequestOptions = {}): Promise<Complete<OrganizationsFound>> {
    return this.#read({ path: "/api/organizations", query, ...options });
  }

  contributor(uuid: string, options: RequestOptions = {}): Promise<Complete<Contributor>> {
    return this.#one("contributor", uuid, options);
  }

  /** A page of the contributors with a text in their names. */
  contributors(query: ContributorSearch, options: RequestOptions = {}): Promise<Complete<ContributorsFound>> {
    return this.#read({ path: "/api/contributors", query, ...options });
  }

  /** A series, such as a festival, by its slug, its uuid or the uuid of a part of it. */
  series(slug: string, options: RequestOptions & { lang?: string } = {}): Promise<Complete<Series>> {
    return this.#one("series", slug, options);
  }

  /** A page of the series by title. */
  allSeries(query: SeriesQuery = {}, options: RequestOptions = {}): Promise<Complete<SeriesFound>> {
    return this.#read({ path: "/api/series", query, ...options });
  }

  /** Completes what a visitor types. */
  suggestions(query: SuggestQuery, options: RequestOptions = {}): Promise<Complete<Suggestions>> {
    return this.#read({ path: "/api/suggest", query, ...options });
  }

  /**
   * The changes of what a filter finds, after a position or from now on, as they happen. Lost connections and services that
   * do not answer are waited for; it ends by the signal or with an error that waiting does not mend, above all
   * `BeginAgainError`. A page without changes moves the position.
   */
  changes<K extends Kind = "dates">(
    query: ChangesQuery<K> = {},
    options: ChangesOptions = {},
  ): AsyncGenerator<ChangesPage<K>, never> {
    return follow(this.#transport.patient(), query, options);
  }

  /**
   * Keeps a copy of all that a filter finds: it reads everything, follows the changes, and begins again when they are not
   * known any more. It goes on from the position of the store, and ends by the signal, or with an error of the store or one
   * that waiting does not mend.
   *
   * What a filter finds less or more of because time passes, by words such as `today`, is not among the changes: with
   * `start: "today"` or `not_over: true` a copy has to drop what is past.
   */
  mirror<K extends MirroredKind = "dates">(
    store: Store<K>,
    query: MirrorQuery<K> = {},
    options: ChangesOptions = {},
  ): Promise<never> {
    return mirror(this.#transport.patient(), store, query, options);
  }

  /** Brings a copy up to date, as `mirror` does, and returns. */
  refresh<K extends MirroredKind = "dates">(
    store: Store<K>,
    query: MirrorQuery<K> = {},
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    return refresh(this.#transport, store, query, signal);
  }

  #one<T extends object>(
    kind: string,
    uuid: string,
    { lang, ...options }: RequestOptions & { lang?: string },
  ): Promise<Complete<T>> {
    return this.#read<T>({ path: `/api/${kind}/${encodeURIComponent(uuid)}`, query: { lang }, ...options });
  }

  async #read<T extends object>(ask: Ask): Promise<Complete<T>> {
    const { data, position } = await this.#transport.ask<T>(ask);
    return { ...data, position };
  }
}
