import { BeginAgainError, LitfassError, refusal } from "./errors.js";
import { serverSentEvents } from "./stream.js";
import { type Ask, type Transport, Watch, delay, sleep } from "./transport.js";
import type { ChangesFilter, ChangesPage, Kind } from "./types.js";

export type ChangesQuery<K extends Kind = "dates"> = ChangesFilter & {
  /** What the changes are those of; dates without it. */
  kind?: K;
  /** The position to go on from; without it the changes begin now. */
  after?: string;
};

export interface ChangesOptions {
  signal?: AbortSignal | undefined;
  /** Ask for one answer after the other instead of a stream of events, for proxies that keep those back. */
  poll?: boolean;
}

interface Page<K extends Kind> extends ChangesPage<K> {
  more: boolean;
}

const path = "/api/changes";
const pollSeconds = 30;
const pollLimit = 1000;
/** The service sends its position every 15 seconds: after so many milliseconds the connection is lost. */
const longestSilence = 45_000;

/** The position of the feed now, and that up to which searches have to be complete to be newer. */
export async function begin(
  transport: Transport,
  signal?: AbortSignal,
): Promise<{ after: string; complete: string | null }> {
  const { data, position } = await transport.ask<Page<"dates">>({ path, signal });
  return { after: data.position, complete: position };
}

/** The changes from a position on, as they happen. */
export async function* follow<K extends Kind>(
  transport: Transport,
  query: ChangesQuery<K>,
  { signal, poll = false }: ChangesOptions,
): AsyncGenerator<ChangesPage<K>, never> {
  let { after } = query;
  if (after === undefined) {
    ({ after } = await begin(transport, signal));
    yield { changes: [], position: after };
  }
  const pass = poll ? polled<K> : streamed<K>;
  for (let failures = 0; ; failures++) {
    try {
      for await (const page of pass(transport, { ...query, after }, signal)) {
        failures = 0;
        if (page.changes.length > 0 || page.position !== after) {
          after = page.position;
          yield page;
        }
      }
    } catch (error) {
      await transport.pause(error, failures, signal);
      continue;
    }
    await sleep(delay(failures), signal); // a stream has ended
  }
}

/** The changes from a position on that are known now. */
export async function* known<K extends Kind>(
  transport: Transport,
  query: ChangesQuery<K> & { after: string },
  signal?: AbortSignal,
): AsyncGenerator<ChangesPage<K>> {
  for (let { after } = query, more = true; more;) {
    const { data } = await transport.ask<Page<K>>({ path, query: { ...query, after, limit: pollLimit }, signal });
    ({ position: after, more } = data);
    yield data;
  }
}

async function* polled<K extends Kind>(
  transport: Transport,
  query: ChangesQuery<K> & { after: string },
  signal?: AbortSignal,
): AsyncGenerator<ChangesPage<K>> {
  for (let { after } = query; ;) {
    const asked = { ...query, after, limit: pollLimit, wait: pollSeconds };
    const { data } = await transport.once<Page<K>>({ path, query: asked, more: pollSeconds * 1000, signal });
    after = data.position;
    yield data;
  }
}

/** The pages of one stream of events. */
async function* streamed<K extends Kind>(
  transport: Transport,
  { after, ...query }: ChangesQuery<K> & { after: string },
  signal?: AbortSignal,
): AsyncGenerator<ChangesPage<K>> {
  const watch = new Watch(longestSilence, signal);
  try {
    const body = await open(transport, { path, query }, watch, after);
    for await (const { name, id, data } of serverSentEvents(body, () => watch.heard())) {
      if (name === "begin_again") {
        throw new BeginAgainError();
      }
      if (name === "changes") {
        yield JSON.parse(data) as ChangesPage<K>;
      } else if (id !== "") {
        yield { changes: [], position: id };
      }
    }
  } catch (error) {
    throw watch.failure(error);
  } finally {
    watch.end();
  }
}

async function open(transport: Transport, ask: Ask, watch: Watch, after: string): Promise<ReadableStream<Uint8Array>> {
  const headers = { Accept: "text/event-stream", "Last-Event-ID": after };
  const response = await transport.send(ask, watch.signal, headers);
  if (!response.ok) {
    throw refusal(response, await response.text());
  }
  const type = response.headers.get("Content-Type") ?? "";
  if (!type.startsWith("text/event-stream") || response.body === null) {
    throw new LitfassError("unexpected", `the answer is ${type} instead of a stream of events`, {
      status: response.status,
    });
  }
  return response.body;
}
