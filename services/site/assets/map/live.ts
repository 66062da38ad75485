// The map that can be moved, in place of the drawing of the page.
import type { Map as LiveMap } from "maplibre-gl";
import { boundsOf, boxOf, holds } from "./box";
import { groundOf, loadStyles, open } from "./ground";
import { bindLocate } from "./locate";
import { markersOn } from "./markers";

/** Shows the map of an element with data-map. */
export async function show(element: HTMLElement) {
  await loadStyles(element.dataset.style);
  const sheet = element.querySelector("[data-map-drawn]")!;
  const drawing = sheet.firstElementChild as SVGElement;
  const drawn = drawing.cloneNode(true) as SVGElement;
  const container = document.createElement("div");
  container.className = "map-live";
  sheet.append(container);

  const initial = boundsOf(element.dataset.bbox!);
  const { textLabel, textClose } = element.dataset;
  const opened = open(container, groundOf(element.dataset), initial, { map: textLabel!, close: textClose! });
  const { map } = opened;
  await new Promise((loaded) => map.once("load", loaded));
  drawing.remove();
  container.classList.add("map-ready");
  bindMoves(map, element.querySelector("[data-map-moves]")!);
  bindLocate(map, element);
  const markers = markersOn(opened);
  const edge = edgeOf(map);
  const follow = followMoves(map, element, (part) => {
    markers.show(part);
    edge(part);
  });
  if (holds(initial, map.getBounds(), 0.02)) {
    markers.show(drawn);
    edge(drawn);
  } else {
    follow(); // the page has drawn less than is seen now
  }
}

// bindMoves makes the links next to the map move it.
function bindMoves(map: LiveMap, links: HTMLElement) {
  const pan = (east: number, south: number) => {
    const { clientWidth, clientHeight } = map.getContainer();
    map.panBy([(east * clientWidth) / 2, (south * clientHeight) / 2]);
  };
  const moves: Record<string, () => void> = {
    "map.in": () => map.zoomIn(),
    "map.out": () => map.zoomOut(),
    "map.west": () => pan(-1, 0),
    "map.east": () => pan(1, 0),
    "map.north": () => pan(0, -1),
    "map.south": () => pan(0, 1),
  };
  links.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLElement>("[data-move]");
    if (link) {
      event.preventDefault();
      moves[link.dataset.move!]?.();
    }
  });
}

// followMoves shows the venues of the box that the map was moved to, and names it in the address. It
// returns a function that shows those of the present box.
function followMoves(map: LiveMap, element: HTMLElement, draw: (part: ParentNode) => void) {
  const found = element.querySelector<HTMLElement>("[data-map-found]")!;
  let waiting = 0;
  let reading = new AbortController();
  const show = async (box: string) => {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    try {
      const part = await read(withBox(element.dataset.part!, box), signal);
      draw(part);
      list(found, part.querySelector("[data-map-found]")!);
    } catch {
      if (!signal.aborted) {
        found.querySelector("[role=status] h2")!.textContent = element.dataset.textFailed!;
      }
    }
  };
  map.on("moveend", () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      const box = boxOf(map.getBounds());
      updateAddresses(box);
      void show(box);
    }, 150);
  });
  return () => void show(boxOf(map.getBounds()));
}

// edgeOf returns a function that shows the town at the edge of a part of the page, of which the map
// is a part without its name, until the map moves.
function edgeOf(map: LiveMap) {
  const label = document.createElement("span");
  label.className = "map-beyond";
  label.hidden = true;
  label.setAttribute("aria-hidden", "true");
  map.getContainer().append(label);
  map.on("movestart", () => (label.hidden = true));
  return (part: ParentNode) => {
    const town = part.querySelector(".map-edge");
    label.hidden = town === null;
    label.textContent = town?.textContent ?? "";
    label.dataset.anchor = town?.getAttribute("text-anchor") ?? "";
    label.style.left = town?.getAttribute("x") ?? "";
    label.style.top = town?.getAttribute("y") ?? "";
  };
}

async function read(address: string, signal: AbortSignal) {
  const answer = await fetch(address, { signal });
  if (!answer.ok) {
    throw new Error(`${address} answers ${answer.status}`);
  }
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// list exchanges the venues below the map. The status stays, so that its change is announced, and
// the focus stays on its link.
function list(found: HTMLElement, part: Element) {
  const focused = found.querySelector("a:focus")?.getAttribute("href");
  const status = found.querySelector("[role=status]")!;
  const next = part.querySelector("[role=status]")!;
  status.replaceChildren(...next.childNodes);
  next.remove();
  while (status.nextSibling) {
    status.nextSibling.remove();
  }
  found.append(...part.childNodes);
  if (focused) {
    found.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
}

function withBox(address: string, box: string) {
  const url = new URL(address, location.href);
  url.searchParams.set("bbox", box);
  return url.href;
}

// updateAddresses puts the box into the addresses of the page and of its other languages.
function updateAddresses(box: string) {
  history.replaceState(history.state, "", withBox(location.href, box));
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[hreflang]")) {
    link.href = withBox(link.href, box);
  }
}
