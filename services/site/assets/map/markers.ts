// The venues on the map: the points that the server has drawn, each of them a marker.
import * as leaflet from "leaflet/dist/leaflet-src.esm.js";
import { boundsOf, near } from "./box";

/** The venues that the map shows. */
export type Markers = ReturnType<typeof markersOn>;

export function markersOn(map: leaflet.Map, texts: DOMStringMap) {
  const layer = leaflet.layerGroup().addTo(map);
  const shown = new Map<string, leaflet.Marker>();

  // show makes the layer hold the points of a part of the page. Markers that stay are not touched:
  // one of them may have the focus, or a popup.
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
        layer.removeLayer(marker);
        shown.delete(key);
      }
    }
    for (const [key, point] of wanted) {
      if (!shown.has(key)) {
        const marker = markerOf(map, point, texts);
        shown.set(key, marker);
        layer.addLayer(marker);
      }
    }
  }
  return { show };
}

function markerOf(map: leaflet.Map, point: SVGElement, texts: DOMStringMap) {
  const { lat, lon, count, bbox } = point.dataset;
  const label = point.getAttribute("aria-label")!;
  const text = document.createElement("span");
  text.textContent = count!;
  const name = document.createElement("span");
  name.dir = "auto";
  name.textContent = point.dataset.short!;
  const size = 24 + 4 * count!.length;
  const marker = leaflet.marker([Number(lat), near(Number(lon), map.getCenter().lng)], {
    title: label,
    icon: leaflet.divIcon({
      html: text,
      iconSize: [size, size],
      className: bbox ? "map-marker map-cluster" : "map-marker",
    }),
  });
  marker.bindTooltip(name, { permanent: true, direction: "bottom", offset: [0, size / 2 - 4], className: "map-name" });
  marker.on("add", () => marker.getElement()?.setAttribute("aria-label", label));
  if (bbox) {
    bindOpening(map, marker, bbox);
  } else {
    bindPopup(marker, point, texts);
  }
  return marker;
}

// bindOpening makes a marker of several venues show them apart.
function bindOpening(map: leaflet.Map, marker: leaflet.Marker, bbox: string) {
  const open = () => {
    const bounds = boundsOf(bbox);
    const turn = near(bounds.getCenter().lng, map.getCenter().lng) - bounds.getCenter().lng;
    map.fitBounds([
      [bounds.getSouth(), bounds.getWest() + turn],
      [bounds.getNorth(), bounds.getEast() + turn],
    ]);
    map.getContainer().focus({ preventScroll: true });
  };
  marker.on("click", open);
  onKey(marker, open);
}

// bindPopup makes a marker of one venue show links to it and to its dates.
function bindPopup(marker: leaflet.Marker, point: SVGElement, texts: DOMStringMap) {
  const { venue, name, dates } = point.dataset;
  const content = document.createElement("div");
  const lines = [
    venue ? link(venue, name!) : line(point.getAttribute("aria-label")!),
    link(point.getAttribute("href")!, dates!),
  ];
  content.append(...lines);
  marker.bindPopup(content, { minWidth: 120, maxWidth: 240 });
  marker.on("popupopen", (event) => {
    event.popup
      .getElement()
      ?.querySelector(".leaflet-popup-close-button")
      ?.setAttribute("aria-label", texts.textClose!);
    content.querySelector("a")!.focus({ preventScroll: true });
  });
  marker.on("popupclose", () => marker.getElement()?.focus({ preventScroll: true }));
  content.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      marker.closePopup();
    }
  });
  onKey(marker, () => marker.openPopup());
}

// onKey makes the keys that press buttons act like a click.
function onKey(marker: leaflet.Marker, act: () => void) {
  marker.on("keydown", (event) => {
    if (event.originalEvent.key === "Enter" || event.originalEvent.key === " ") {
      event.originalEvent.preventDefault();
      act();
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
