// <litfass-events> lists the dates of a filter on another website. Its attributes are parameters of
// GET /api/events. What stands inside of it, such as a link, stays where scripts are blocked.
const origin = new URL((document.currentScript as HTMLScriptElement).src).origin;

class Events extends HTMLElement {
  async connectedCallback() {
    const filter = new URLSearchParams(
      [...this.attributes].filter(({ name }) => !["class", "id", "style"].includes(name)).map(({ name, value }) => [name, value]),
    );
    const answer = await fetch(`${origin}/api/events?${filter}`);
    if (answer.ok) {
      this.show((await answer.json()).data.events);
    }
  }

  show(events: { uuid: string; date_uuid: string; title: string; start_date: string }[]) {
    const list = document.createElement("ul");
    for (const event of events) {
      const link = document.createElement("a");
      link.href = `${origin}/event/${event.uuid}?date=${event.date_uuid}`;
      link.textContent = `${event.start_date} ${event.title}`;
      list.append(document.createElement("li"));
      list.lastElementChild!.append(link);
    }
    (this.shadowRoot ?? this.attachShadow({ mode: "open" })).replaceChildren(list);
  }
}

customElements.define("litfass-events", Events);
