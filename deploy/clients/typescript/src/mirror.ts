import { type ChangesOptions, type ChangesQuery, begin, follow, known } from "./changes.js";
import { BeginAgainError, LitfassError } from "./errors.js";
import { type RequestOptions, type Transport, delay, sleep } from "./transport.js";
import type {
  Change,
  ChangesFilter,
  ChangesPage,
  DateEntry,
  EntryOf,
  EventsFound,
  Kind,
  Venue,
  VenuesFound,
} from "./types.js";

type Awaitable<T> = T | Promise<T>;

/** The kinds of which there is a list, with entries like those of changes, to begin a copy with. */
export type MirroredKind = Exclude<Kind, "organizations" | "contributors" | "series">;

/** An entry as the change feed shows it. */
export type Entered<K extends Kind> = Change<K> & { change: "entered"; entry: EntryOf[K] };

/**
 * Keeps a copy, such as a table of a database. Each method stores its position together with its entries, in one
 * transaction, so that the copy is exact after any interruption.
 */
export interface Store<K extends Kind = "dates"> {
  /** The position that was stored last; undefined before the first. */
  position(): Awaitable<string | undefined>;
  /**
   * Replaces everything by the entries, which come in pages. One that comes twice counts as it comes last. An error of
   * the pages, which `replace` throws, leaves the store as it was.
   */
  replace(pages: AsyncIterable<Entered<K>[]>, position: string): Awaitable<void>;
  /**
   * Takes changes: what left is deleted, and everything else put in its place. It may have to delete what is not there,
   * or to put what is there already.
   */
  apply(changes: Change<K>[], position: string): Awaitable<void>;
}

export type MirrorQuery<K extends MirroredKind = "dates"> = ChangesFilter & { kind?: K };

const pageSize = 200;
const attemptsAtVenues = 10;

/** Keeps a copy until the signal ends it. */
export async function mirror<K extends MirroredKind>(
  transport: Transport,
  store: Store<K>,
  query: MirrorQuery<K>,
  options: ChangesOptions,
): Promise<never> {
  await keep(transport, store, query, options.signal, (from) => follow<K>(transport, from, options));
  throw new Error("a feed never ends");
}

/** Brings a copy up to date. */
export function refresh<K extends MirroredKind>(
  transport: Transport,
  store: Store<K>,
  query: MirrorQuery<K>,
  signal?: AbortSignal,
): Promise<void> {
  return keep(transport, store, query, signal, (from) => known<K>(transport, from, signal));
}

async function keep<K extends MirroredKind>(
  transport: Transport,
  store: Store<K>,
  query: MirrorQuery<K>,
  signal: AbortSignal | undefined,
  pages: (query: ChangesQuery<K> & { after: string }) => AsyncIterable<ChangesPage<K>>,
): Promise<void> {
  let after = await store.position();
  for (let again = 0; ; again++) {
    after ??= await fill(transport, store, query, signal);
    try {
      for await (const { changes, position } of pages({ ...query, after })) {
        again = 0;
        await store.apply(changes, position);
      }
      return;
    } catch (error) {
      if (!(error instanceof BeginAgainError) || again > transport.retries) {
        throw error;
      }
    }
    if (again > 0) {
      await sleep(delay(again), signal); // the service does not even know the changes since a moment ago
    }
    after = undefined;
  }
}

/** Reads everything into a store. Changes that happen meanwhile come after the position, and may be read already. */
async function fill<K extends MirroredKind>(
  transport: Transport,
  store: Store<K>,
  { kind, ...filter }: MirrorQuery<K>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { after, complete } = await begin(transport, signal);
  const options = { signal, position: complete };
  const pages =
    kind === "venues" ? venuePages(transport, filter, options) : datePages(transport, filter, kind ?? "dates", options);
  await store.replace(pages as AsyncIterable<Entered<K>[]>, after);
  return after;
}

async function* datePages(
  transport: Transport,
  filter: ChangesFilter,
  kind: "dates" | "events",
  options: RequestOptions,
): AsyncGenerator<Entered<"dates" | "events">[]> {
  let cursor = {};
  for (;;) {
    const query = { ...filter, ...(kind === "events" && { group: "event" }), limit: pageSize, ...cursor };
    const { data } = await transport.ask<EventsFound>({ path: "/api/events", query, postable: true, ...options });
    yield data.events.map((entry) => entered(entry, kind));
    if (data.events.length < pageSize) {
      return;
    }
    const { last_event_start_at, last_event_date_uuid } = data;
    cursor = { last_event_start_at, last_event_date_uuid };
  }
}

function entered(found: DateEntry, kind: "dates" | "events"): Entered<"dates" | "events"> {
  const { search_rank: _, date_count, ...entry } = found;
  return kind === "dates"
    ? { change: "entered", uuid: entry.date_uuid, event_uuid: entry.uuid, entry }
    : { change: "entered", uuid: entry.uuid, ...(date_count !== undefined && { date_count }), entry };
}

/**
 * Pages of venues begin at numbers, which shift when a venue before them comes or goes: so each page begins with the
 * last venue of the one before, and if that is another one, everything is read again.
 */
async function* venuePages(
  transport: Transport,
  filter: ChangesFilter,
  options: RequestOptions,
): AsyncGenerator<Entered<"venues">[]> {
  for (let attempt = 0; attempt < attemptsAtVenues; attempt++) {
    const venues = await allVenues(transport, filter, options);
    if (venues !== undefined) {
      yield venues.map((entry) => ({ change: "entered", uuid: entry.uuid, entry }));
      return;
    }
  }
  throw new LitfassError("unavailable", "the list of venues changed during each of several attempts to read it");
}

async function allVenues(
  transport: Transport,
  filter: ChangesFilter,
  options: RequestOptions,
): Promise<Venue[] | undefined> {
  const all: Venue[] = [];
  for (;;) {
    const query = { ...filter, limit: pageSize, offset: Math.max(0, all.length - 1) };
    const { data } = await transport.ask<VenuesFound>({ path: "/api/venues", query, ...options });
    const last = all.pop();
    const [first] = data.venues;
    if (last !== undefined && (first?.uuid !== last.uuid || first.name !== last.name)) {
      return undefined;
    }
    all.push(...data.venues);
    if (data.venues.length < pageSize) {
      return all;
    }
  }
}

/** A copy in memory. */
export class MemoryStore<K extends Kind = "dates"> implements Store<K> {
  #entries = new Map<string, Entered<K>>();
  #position: string | undefined;

  /** What is stored, by uuid. */
  get entries(): ReadonlyMap<string, Entered<K>> {
    return this.#entries;
  }

  position(): string | undefined {
    return this.#position;
  }

  async replace(pages: AsyncIterable<Entered<K>[]>, position: string): Promise<void> {
    const entries = new Map<string, Entered<K>>();
    for await (const page of pages) {
      for (const entry of page) {
        entries.set(entry.uuid, entry);
      }
    }
    this.#entries = entries;
    this.#position = position;
  }

  apply(changes: Change<K>[], position: string): void {
    for (const change of changes) {
      if (change.change === "left") {
        this.#entries.delete(change.uuid);
      } else {
        this.#entries.set(change.uuid, { ...change, change: "entered" } as Entered<K>);
      }
    }
    this.#position = position;
  }
}
