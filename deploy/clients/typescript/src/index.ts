export { type ChangesOptions, type ChangesQuery } from "./changes.js";
export { Litfass } from "./client.js";
export { BeginAgainError, type ErrorKind, LitfassError } from "./errors.js";
export { type Entered, MemoryStore, type MirrorQuery, type MirroredKind, type Store } from "./mirror.js";
export type { components, operations, paths } from "./openapi.js";
export type { ClientOptions, RequestOptions } from "./transport.js";
export type * from "./types.js";
export {
  type Notification,
  type RequestHeaders,
  type VerifyOptions,
  WebhookError,
  type WebhookProblem,
  verifyWebhook,
} from "./webhook.js";
