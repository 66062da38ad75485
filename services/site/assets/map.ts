// The map: an element with data-map shows the venues that the page has drawn on a map that can be
// moved, and reads others from the part of the page at data-part. Only the page of the
// map loads it.
import * as leaflet from "leaflet/dist/leaflet-src.esm.js";
import { addLand } from "./map/land";
import { type Markers, markersOn } from "./map/markers";
import { bindLocate } from "./map/locate";
import { boundsOf, boxOf } from "./map/box";

async function start(element: HTMLElement) {
  await loadStyles(element.dataset.style);
  const sheet = element.querySelector("[data-map-drawn]")!;
  const drawn = sheet.cloneNode(true) as HTMLElement;
  const container = document.createElement("div");
  container.className = "map-live";
  sheet.replaceChildren(container);

  const map = create(container, element.dataset);
  bindMoves(map, element.querySelector("[data-map-moves]")!);
  bindLocate(map, element);
  const initial = boundsOf(element.dataset.bbox!);
  fit(map, initial);
  addGround(map, element.dataset);
  const markers = markersOn(map, element.dataset);
  followMoves(map, element, markers);
  if (initial.pad(0.02).contains(map.getBounds())) {
    markers.show(drawn);
  } else {
    map.fire("outgrown"); // the page has drawn less than is seen now
  }
}

// loadStyles loads the styles of the map.
function loadStyles(address?: string) {
  return new Promise<void>((resolve) => {
    if (!address) {
      return resolve();
    }
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}

function create(container: HTMLElement, data: DOMStringMap) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const map = leaflet.map(container, {
    attributionControl: false,
    zoomControl: false,
    worldCopyJump: true,
    minZoom: 2,
    maxZoom: 18,
    zoomSnap: data.tiles ? 1 : 0.5,
    inertia: !still,
    zoomAnimation: !still,
    fadeAnimation: !still,
    markerZoomAnimation: !still,
  });
  container.setAttribute("role", "region");
  container.setAttribute("aria-label", data.textLabel!);
  return map;
}

// fit shows a box as it is drawn, at whole zooms only where tiles need that.
function fit(map: leaflet.Map, bounds: leaflet.LatLngBounds) {
  const { zoomSnap = 1 } = map.options;
  map.options.zoomSnap = zoomSnap < 1 ? 0 : zoomSnap;
  map.fitBounds(bounds, { animate: false });
  map.options.zoomSnap = zoomSnap;
}

// bindMoves makes the links next to the map move it.
function bindMoves(map: leaflet.Map, links: HTMLElement) {
  const pan = (east: number, south: number) => {
    const { x, y } = map.getSize();
    map.panBy([(east * x) / 2, (south * y) / 2]);
  };
  const moves: Record<string, () => void> = {
    "map.in": () => map.zoomIn(1),
    "map.out": () => map.zoomOut(1),
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

// addGround adds the ground of the map: tiles where the site has some, else the land.
function addGround(map: leaflet.Map, data: DOMStringMap) {
  if (!data.tiles) {
    addLand(map, data.land!);
    return;
  }
  leaflet.tileLayer(data.tiles, { maxZoom: 19 }).addTo(map);
  if (data.tilesBy) {
    const credit = document.createElement("span");
    credit.textContent = data.tilesBy;
    leaflet.control.attribution({ prefix: false }).addAttribution(credit.outerHTML).addTo(map);
  }
}

// followMoves shows the venues of the box that the map was moved to, and names it in the address.
function followMoves(map: leaflet.Map, element: HTMLElement, markers: Markers) {
  const found = element.querySelector<HTMLElement>("[data-map-found]")!;
  let waiting = 0;
  let reading = new AbortController();
  const show = async (box: string) => {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    try {
      const part = await read(withBox(element.dataset.part!, box), signal);
      markers.show(part);
      list(found, part.querySelector("[data-map-found]")!);
    } catch {
      if (!signal.aborted) {
        found.querySelector("[role=status] h2")!.textContent = element.dataset.textFailed!;
      }
    }
  };
  map.on("moveend outgrown", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const box = boxOf(map.getBounds());
      if (event.type === "moveend") {
        updateAddresses(box);
      }
      void show(box);
    }, 150);
  });
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

for (const element of document.querySelectorAll<HTMLElement>("[data-map]")) {
  void start(element);
}
