import { Litfass } from "litfass";

/** An answer of a fake service, or what it does instead. */
export type Reply = Response | ((request: Request) => Response | Promise<Response>);

/** A client of a fake service that gives these answers one after the other, and the requests that it got. */
export function fake(replies: Reply[], options: { retries?: number; timeout?: number } = {}) {
  const requests: Request[] = [];
  const rest = [...replies];
  const client = new Litfass({
    baseUrl: "http://service.test/",
    ...options,
    fetch: async (input, init) => {
      const request = new Request(input as string, init);
      requests.push(request);
      const reply = rest.shift();
      if (reply === undefined) {
        throw new Error(`there is no answer to ${request.url}`);
      }
      return typeof reply === "function" ? reply(request) : reply;
    },
  });
  return { client, requests };
}

export function ok(data: object, position?: string): Response {
  const headers: Record<string, string> = position === undefined ? {} : { "Litfass-Position": position };
  return Response.json({ data }, { headers });
}

export function refused(status: number, body: object = {}, headers: Record<string, string> = {}): Response {
  return Response.json(
    { error: "refused", code: "refused_for_test", details: [], request_id: "r", ...body },
    { status, headers },
  );
}

/** A stream of events in parts; it breaks off where `broken`, and stays open where `open` until the request is aborted. */
export function stream(parts: (string | Uint8Array)[], end: "closed" | "broken" | "open" = "closed"): Reply {
  const encoder = new TextEncoder();
  const rest = [...parts];
  return ({ signal }) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
      pull(controller) {
        const part = rest.shift();
        if (part !== undefined) {
          controller.enqueue(typeof part === "string" ? encoder.encode(part) : part);
        } else if (end === "closed") {
          controller.close();
        } else if (end === "broken") {
          controller.error(new TypeError("terminated"));
        } else {
          return new Promise<void>(() => undefined);
        }
        return undefined;
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  };
}

/** The first elements of an iterator, which is ended then. */
export async function first<T>(count: number, all: AsyncIterable<T>): Promise<T[]> {
  const some: T[] = [];
  for await (const one of all) {
    some.push(one);
    if (some.length === count) {
      break;
    }
  }
  return some;
}
