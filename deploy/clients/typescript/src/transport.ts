import { LitfassError, refusal } from "./errors.js";

export interface ClientOptions {
  /** The address of the service, such as `https://events.example.org`, without `/api`. */
  baseUrl: string | URL;
  /** Raises the limits of requests. Not for pages: every visitor could read it. */
  apiKey?: string;
  /** Sends the requests instead of the global one. */
  fetch?: typeof fetch;
  /** Milliseconds that one attempt may take; 30,000 without it. Streams have no such limit. */
  timeout?: number;
  /** How often a request is sent again after a failure that may pass; 3 without it. */
  retries?: number;
  /** The most seconds that the service may ask to wait before that; 60 without it. A longer wait is an error at once. */
  longestWait?: number;
}

export interface RequestOptions {
  /** Ends the request, which throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** The `Litfass-Position` of a write, or the `position` of an answer: this one shows that write and all before it. */
  position?: string | null | undefined;
}

/** A request that reads. */
export interface Ask extends RequestOptions {
  path: string;
  query?: object;
  /** Whether the query may be sent as a body when it is too long for an address. */
  postable?: boolean;
  /** Milliseconds that it may take beyond the usual time. */
  more?: number;
}

export interface Answer<T> {
  data: T;
  position: string | null;
}

const longestAddress = 4000;
const firstDelay = 250;
const longestDelay = 30_000;

/** Sends requests, again where that may help. */
export class Transport {
  readonly #base: string;
  readonly #fetch: typeof fetch;
  readonly #timeout: number;

  constructor(
    private readonly options: ClientOptions,
    readonly retries = options.retries ?? 3,
    private readonly longestWait = options.longestWait ?? 60,
  ) {
    this.#base = String(options.baseUrl).replace(/\/+$/, "");
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#timeout = options.timeout ?? 30_000;
  }

  /** A transport that waits for as long as it takes. */
  patient(): Transport {
    return new Transport(this.options, Infinity, Infinity);
  }

  /** Sends a request until it is answered. */
  async ask<T>(ask: Ask): Promise<Answer<T>> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.once<T>(ask);
      } catch (error) {
        await this.pause(error, attempt, ask.signal);
      }
    }
  }

  /** Sends a request once. */
  async once<T>(ask: Ask): Promise<Answer<T>> {
    const watch = new Watch(this.#timeout + (ask.more ?? 0), ask.signal);
    try {
      const response = await this.send(ask, watch.signal, { Accept: "application/json" });
      const text = await response.text();
      if (!response.ok) {
        throw refusal(response, text);
      }
      return { data: payload<T>(text, response.status), position: response.headers.get("Litfass-Position") };
    } catch (error) {
      throw watch.failure(error);
    } finally {
      watch.end();
    }
  }

  /** Sends a request and returns the head of its answer. */
  send(ask: Ask, signal: AbortSignal, headers: Record<string, string>): Promise<Response> {
    const { apiKey } = this.options;
    const query = encode(ask.query ?? {});
    if (ask.position) {
      headers["Litfass-Position"] = ask.position;
    }
    if (apiKey !== undefined) {
      headers["X-API-Key"] = apiKey;
    }
    if (ask.postable === true && query.length > longestAddress) {
      headers["Content-Type"] = "application/json";
      const body = JSON.stringify(ask.query);
      return this.#fetch(this.#base + ask.path, { method: "POST", headers, body, signal });
    }
    return this.#fetch(this.#base + ask.path + (query && `?${query}`), { headers, signal });
  }

  /** Waits before the next attempt after a failure, or throws it when there is to be none. */
  async pause(error: unknown, attempt: number, signal?: AbortSignal): Promise<void> {
    if (!(error instanceof LitfassError) || !error.temporary || attempt >= this.retries) {
      throw error;
    }
    const wait = error.retryAfter ?? 0;
    if (wait > this.longestWait) {
      throw error;
    }
    await sleep(wait * 1000 + delay(attempt), signal);
  }
}

/** Milliseconds that grow with the attempts, and are drawn so that many clients do not come back together. */
export function delay(attempt: number): number {
  const step = Math.min(firstDelay * 2 ** Math.min(attempt, 10), longestDelay);
  return step / 2 + (Math.random() * step) / 2;
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Ends a request when its caller aborts it, or when nothing was heard for some time. */
export class Watch {
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #late = false;
  readonly #abort = () => this.#controller.abort(this.caller?.reason);

  constructor(
    private readonly patience: number,
    private readonly caller?: AbortSignal,
  ) {
    if (caller?.aborted === true) {
      this.#abort();
    }
    caller?.addEventListener("abort", this.#abort, { once: true });
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Begins the time again. */
  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#late = true;
      this.#controller.abort();
    }, this.patience);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.caller?.removeEventListener("abort", this.#abort);
  }

  /** What to throw for an error of a request. */
  failure(cause: unknown): unknown {
    if (this.caller?.aborted === true) {
      return this.caller.reason;
    }
    if (cause instanceof LitfassError) {
      return cause;
    }
    if (this.#late) {
      return new LitfassError("timeout", `there was no answer for ${this.patience} ms`, { cause });
    }
    return new LitfassError("network", reasonOf(cause), { cause });
  }
}

/** The message of an error, and of what caused it: that of `fetch` says nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function payload<T>(text: string, status: number): T {
  try {
    const envelope = JSON.parse(text) as { data: T };
    if (typeof envelope.data === "object" && envelope.data !== null) {
      return envelope.data;
    }
  } catch {
    // it is refused below
  }
  throw new LitfassError("unexpected", "the answer is not one of this service", { status });
}

/** The query string of parameters: lists with commas, absent values left out. */
export function encode(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) {
      parameters.set(name, String(value));
    }
  }
  return parameters.toString();
}
