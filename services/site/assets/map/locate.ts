// The button that moves the map to where the visitor is.
import * as leaflet from "leaflet/dist/leaflet-src.esm.js";

// closest is the zoom at which a town fills the map.
const closest = 11;

export function bindLocate(map: leaflet.Map, element: HTMLElement) {
  const button = element.querySelector<HTMLButtonElement>("[data-map-here]")!;
  if (!("geolocation" in navigator)) {
    return;
  }
  const note = document.createElement("p");
  note.className = "map-note";
  note.setAttribute("role", "status");
  button.closest("nav")!.append(note);
  button.disabled = false;

  const here = leaflet.circleMarker([0, 0], { radius: 7, interactive: false, className: "map-position" });
  button.addEventListener("click", () => {
    note.textContent = "";
    map.locate({ setView: true, maxZoom: closest });
  });
  map.on("locationfound", (event) => here.setLatLng(event.latlng).addTo(map));
  map.on("locationerror", () => {
    note.textContent = element.dataset.textNowhere!;
  });
}
