/** What htmx knows of a request. */
export interface Context {
  sourceElement?: Element;
  response?: { status: number; headers: Headers };
}

export const contextOf = (event: Event) => (event as CustomEvent<{ ctx?: Context }>).detail.ctx ?? {};

/** Whether the service is busy or cannot be reached: the answer may be one of the gateway. */
export const busy = ({ response }: Context) => response !== undefined && [429, 502, 503, 504].includes(response.status);

/** Whether no page of the console wrote the answer: its own name the place where they are shown. */
export const foreign = (ctx: Context) => busy(ctx) && !ctx.response?.headers.has("HX-Retarget");
