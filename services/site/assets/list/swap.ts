// Replaces the parts of this page with the parts of another state of it, without a full load.

// The links of the head that depend on the filter.
const links = 'link[rel="canonical"], link[rel="alternate"]';

// read fetches a page of this site. It fails for anything but a page.
export async function read(address: string, signal: AbortSignal): Promise<Document> {
  const answer = await fetch(address, { headers: { Accept: "text/html" }, signal });
  if (!answer.ok) {
    throw new Error(`${address} answers ${answer.status}`);
  }
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// swap shows the parts of another document. Focus stays on the element with the same id; opened
// details stay open. It returns whether the focus could stay.
export function swap(other: Document): boolean {
  const focused = document.activeElement?.id ?? "";
  const within = document.activeElement?.closest("[data-part]") != null;
  const opened = new Map(
    [...document.querySelectorAll<HTMLDetailsElement>("[data-part] details[id]")].map((d) => [d.id, d.open]),
  );
  for (const part of document.querySelectorAll<HTMLElement>("[data-part]")) {
    const from = other.querySelector(`[data-part="${part.dataset.part}"]`);
    if (from) {
      part.replaceChildren(...from.childNodes);
    }
  }
  for (const [id, open] of opened) {
    const details = document.getElementById(id);
    if (details instanceof HTMLDetailsElement) {
      details.open = open || details.querySelector(":checked") != null;
    }
  }
  document.title = other.title;
  document.querySelector(".languages")?.replaceChildren(...(other.querySelector(".languages")?.childNodes ?? []));
  for (const link of document.querySelectorAll(links)) {
    link.remove();
  }
  document.head.append(...other.querySelectorAll(links));
  document.dispatchEvent(new Event("litfass:swapped"));
  return !within || refocus(focused);
}

function refocus(id: string): boolean {
  const element = id ? document.getElementById(id) : null;
  element?.focus({ preventScroll: true });
  return element != null;
}

// announce has screen readers read out the result.
export function announce(text: string) {
  const region = document.querySelector("[data-announce]");
  if (region) {
    region.textContent = text;
  }
}
