import type { Violation } from "./types.js";

/**
 * What a program may want to know of an error: `invalid` is a request whose `details` name the bad fields,
 * `not_yet_applied` an answer that would not be complete up to the position, `begin_again` a position since which the
 * changes are not known, `network` an answer that did not come or broke off, `unexpected` one that is not of this service.
 */
export type ErrorKind =
  | "invalid"
  | "not_found"
  | "not_yet_applied"
  | "begin_again"
  | "too_many_requests"
  | "unavailable"
  | "network"
  | "timeout"
  | "unexpected";

export interface Failure {
  status?: number;
  code?: string;
  details?: readonly Violation[];
  retryAfter?: number;
  requestId?: string;
  cause?: unknown;
}

/** A failed request. A request that its caller aborts is none: it throws the reason of the signal. */
export class LitfassError extends Error {
  override readonly name: string = "LitfassError";
  /** Of the answer; 0 without one. */
  readonly status: number;
  /** Stable, for programs, such as `invalid_parameters`; `""` without one. */
  readonly code: string;
  /** Every bad field. */
  readonly details: readonly Violation[];
  /** Seconds that the service asks to wait. */
  readonly retryAfter: number | undefined;
  /** For the operators of the service. */
  readonly requestId: string | undefined;

  constructor(
    readonly kind: ErrorKind,
    message: string,
    failure: Failure = {},
  ) {
    const details = failure.details ?? [];
    super([message, details.map(({ field, reason }) => `${field} ${reason}`).join("; ")].filter(Boolean).join(": "), {
      cause: failure.cause,
    });
    this.status = failure.status ?? 0;
    this.code = failure.code ?? "";
    this.details = details;
    this.retryAfter = failure.retryAfter;
    this.requestId = failure.requestId;
  }

  /** Whether the same request may succeed later. */
  get temporary(): boolean {
    return ["not_yet_applied", "too_many_requests", "unavailable", "network", "timeout"].includes(this.kind);
  }
}

/** The changes since a position are not known any more: read everything again. */
export class BeginAgainError extends LitfassError {
  override readonly name = "BeginAgainError";

  constructor(failure: Failure = {}) {
    super("begin_again", "the changes since this position are not known; read everything again", {
      status: 410,
      code: "begin_again",
      ...failure,
    });
  }
}

const kinds: Record<number, ErrorKind> = {
  400: "invalid",
  404: "not_found",
  405: "invalid",
  409: "not_yet_applied",
  410: "begin_again",
  413: "invalid",
  414: "invalid",
  415: "invalid",
  429: "too_many_requests",
  431: "invalid",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

/** The error that an answer is. A proxy's has no body of this service. */
export function refusal(response: Response, text: string): LitfassError {
  const body = errorBody(text);
  const retryAfter = waitOf(response.headers.get("Retry-After")) ?? body.retry_after;
  const failure: Failure = {
    status: response.status,
    ...(body.code !== undefined && { code: body.code }),
    ...(body.details !== undefined && { details: body.details }),
    ...(body.request_id !== undefined && { requestId: body.request_id }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
  const kind = kinds[response.status] ?? "unexpected";
  if (kind === "begin_again") {
    return new BeginAgainError(failure);
  }
  return new LitfassError(kind, body.error ?? `the answer is ${response.status} ${response.statusText}`, failure);
}

interface ErrorBody {
  error?: string;
  code?: string;
  details?: Violation[];
  retry_after?: number;
  request_id?: string;
}

function errorBody(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** The seconds of the header Retry-After, which may also be a time. */
function waitOf(header: string | null): number | undefined {
  if (header === null) {
    return undefined;
  }
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
