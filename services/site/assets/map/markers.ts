// The venues on the map: the points that the server has drawn, each of them a marker.
import { type Map as LiveMap, Marker, Popup } from "maplibre-gl";
import { boundsOf, near } from "./box";
import type { Opened } from "./ground";

export function markersOn({ map, reserve }: Opened) {
  const shown = new Map<string, Marker>();

  // show makes the map hold the points of a part of the page. Markers that stay are not touched: one
  // of them may have the focus, or a popup.
  function show(part: ParentNode) {
    const wanted = new Map<string, SVGElement>();
    for (const point of part.querySelectorAll<SVGElement>(".map-point")) {
      wanted.set(
        [point.getAttribute("href"), point.getAttribute("aria-label"), point.dataset.lat, point.dataset.lon].join(" "),
        point,
      );
    }
    for (const [key, marker] of shown) {
      if (!wanted.has(key)) {
        marker.remove();
        shown.delete(key);
      }
    }
    for (const [key, point] of wanted) {
      if (!shown.has(key)) {
        shown.set(key, markerOf(map, point));
      }
    }
    reserve(
      [...wanted.values()].map(({ dataset: { lon, lat, short } }) => {
        return { lon: Number(lon), lat: Number(lat), text: short! };
      }),
    );
  }
  return { show };
}

function markerOf(map: LiveMap, point: SVGElement) {
  const { lat, lon, count, bbox } = point.dataset;
  const button = document.createElement("button");
  button.type = "button";
  button.className = bbox ? "map-marker map-cluster" : "map-marker";
  button.setAttribute("aria-label", point.getAttribute("aria-label")!);
  button.textContent = count!;
  const name = document.createElement("span");
  name.className = "map-name";
  name.dir = "auto";
  name.setAttribute("aria-hidden", "true"); // the button has the whole name
  name.textContent = point.dataset.short!;
  const element = document.createElement("div");
  element.className = "map-spot";
  element.append(button, name);
  const marker = new Marker({ element }).setLngLat([near(Number(lon), map.getCenter().lng), Number(lat)]);
  marker.addTo(map);
  if (bbox) {
    button.addEventListener("click", () => open(map, bbox));
  } else {
    bindPopup(map, marker, button, point);
  }
  return marker;
}

// open shows the venues of a marker apart.
function open(map: LiveMap, bbox: string) {
  const bounds = boundsOf(bbox);
  const turn = near(bounds.getCenter().lng, map.getCenter().lng) - bounds.getCenter().lng;
  map.fitBounds([
    [bounds.getWest() + turn, bounds.getSouth()],
    [bounds.getEast() + turn, bounds.getNorth()],
  ]);
  map.getCanvas().focus({ preventScroll: true });
}

// bindPopup makes a marker of one venue show links to it and to its dates.
function bindPopup(map: LiveMap, marker: Marker, button: HTMLButtonElement, point: SVGElement) {
  const { venue, name, dates } = point.dataset;
  const content = document.createElement("div");
  content.append(
    venue ? link(venue, name!) : line(point.getAttribute("aria-label")!),
    link(point.getAttribute("href")!, dates!),
  );
  const popup = new Popup({ offset: 16, maxWidth: "15rem", focusAfterOpen: false }).setDOMContent(content);
  const back = () => button.focus({ preventScroll: true });
  button.addEventListener("click", (event) => {
    event.stopPropagation(); // a click on the map closes popups
    popup.setLngLat(marker.getLngLat()).addTo(map);
    content.querySelector("a")!.focus({ preventScroll: true });
  });
  popup.on("close", () => {
    if (document.activeElement === document.body || popup.getElement()?.contains(document.activeElement)) {
      back();
    }
  });
  content.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      popup.remove();
      back();
    }
  });
}

function link(address: string, text: string) {
  const element = document.createElement("a");
  element.href = address;
  element.dir = "auto";
  element.textContent = text;
  return element;
}

function line(text: string) {
  const element = document.createElement("strong");
  element.dir = "auto";
  element.textContent = text;
  return element;
}
