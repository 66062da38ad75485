// Maps: an element with data-map shows the land, and the points of the GeoJSON that data-points
// names, if any. Loaded by pages with a map alone.
import * as leaflet from "leaflet/dist/leaflet-src.esm.js";

async function read(address: string) {
  const answer = await fetch(address);
  if (!answer.ok) {
    throw new Error(`${address} answers ${answer.status}`);
  }
  return answer.json();
}

async function show(element: HTMLElement) {
  const { land, points } = element.dataset;
  const map = leaflet.map(element, { attributionControl: false }).fitWorld();
  if (land) {
    leaflet.geoJSON(await read(land), { interactive: false, className: "land" }).addTo(map);
  }
  if (points) {
    const layer = leaflet.geoJSON(await read(points)).addTo(map);
    if (layer.getBounds().isValid()) {
      map.fitBounds(layer.getBounds(), { maxZoom: 12 });
    }
  }
}

for (const element of document.querySelectorAll<HTMLElement>("[data-map]")) {
  void show(element);
}
