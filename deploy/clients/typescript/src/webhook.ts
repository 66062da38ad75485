/** What a webhook is sent. A repeated one has the same id. */
export interface Notification {
  id: string;
  /** Such as `event.updated`. */
  type: string;
  timestamp: string;
  /** The entity, or only its uuid. */
  data: { uuid: string } & Record<string, unknown>;
}

export type WebhookProblem = "headers" | "timestamp" | "signature" | "secret" | "body";

/** A request that is not a notification of the webhook, or a secret that is none. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";

  constructor(
    readonly problem: WebhookProblem,
    message: string,
  ) {
    super(message);
  }
}

export interface VerifyOptions {
  /** Seconds between the clocks and on the way; 300 without it. */
  tolerance?: number;
  /** The time in milliseconds; that of the clock without it. */
  now?: number;
}

/** The headers of a request, as `fetch` or Node has them. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** More than two secrets ever sign. */
const maxSignatures = 16;

/**
 * Returns the notification that a request with these headers and exactly this body is, if one of the secrets signed it, as
 * Standard Webhooks describes it. While a secret is exchanged for another, give both. It throws a `WebhookError` otherwise.
 */
export async function verifyWebhook(
  secrets: string | readonly string[],
  headers: RequestHeaders,
  body: string | Uint8Array,
  { tolerance = 300, now = Date.now() }: VerifyOptions = {},
): Promise<Notification> {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    header(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookError("headers", "the headers of a signed notification are missing");
  }
  if (Math.abs(now / 1000 - Number(timestamp)) > tolerance) {
    throw new WebhookError("timestamp", "the notification was not sent just now");
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  if (!(await fits(typeof secrets === "string" ? [secrets] : secrets, signatures, signed))) {
    throw new WebhookError("signature", "no signature of the notification fits");
  }
  try {
    return { ...(JSON.parse(new TextDecoder().decode(bytes)) as Omit<Notification, "id">), id };
  } catch {
    throw new WebhookError("body", "the notification is not JSON");
  }
}

function header(headers: RequestHeaders, name: string): string {
  if (headers instanceof Headers) {
    return headers.get(name) ?? "";
  }
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? "";
  return typeof value === "string" ? value : value.join(" ");
}

/** Whether one of the signatures is by one of the secrets. WebCrypto compares in constant time. */
async function fits(secrets: readonly string[], signatures: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  let found = false;
  const given = signatures.split(" ").slice(0, maxSignatures);
  for (const secret of secrets) {
    const raw = decode(secret.replace(/^whsec_/, ""));
    if (raw === undefined || raw.length === 0) {
      throw new WebhookError("secret", "a secret of a webhook is whsec_ and base64");
    }
    const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of given) {
      const bytes = signature.startsWith("v1,") ? decode(signature.slice(3)) : undefined;
      if (bytes !== undefined && (await crypto.subtle.verify("HMAC", key, bytes, signed))) {
        found = true;
      }
    }
  }
  return found;
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
