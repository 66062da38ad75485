/** A server-sent event, or an id alone. */
export interface ServerSentEvent {
  name: string;
  id: string;
  data: string;
}

/** Reads the events of a stream. One that the end of the stream cuts off does not count. */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest: string[] = []; // the parts of a line that has not ended
  let event: ServerSentEvent = { name: "", id: "", data: "" };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      heard();
      const lines = decoder.decode(value, { stream: true }).split("\n");
      const last = lines.pop() ?? "";
      for (const line of lines) {
        const whole = [...rest, line].join("").replace(/\r$/, "");
        rest = [];
        if (whole === "") {
          yield event;
          event = { name: "", id: "", data: "" };
        } else {
          take(event, whole);
        }
      }
      rest.push(last);
    }
  } finally {
    await reader.cancel().catch(() => undefined); // of a connection that is lost already
  }
}

function take(event: ServerSentEvent, line: string): void {
  const colon = line.indexOf(":");
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  if (name === "event") {
    event.name = value;
  } else if (name === "id") {
    event.id = value;
  } else if (name === "data") {
    event.data += (event.data && "\n") + value;
  }
}
