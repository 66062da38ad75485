// The button that moves the map to where the visitor is.
import { type Map as LiveMap, Marker } from "maplibre-gl";

// closest is the zoom at which a town fills the map.
const closest = 11;

export function bindLocate(map: LiveMap, element: HTMLElement) {
  const button = element.querySelector<HTMLButtonElement>("[data-map-here]")!;
  if (!("geolocation" in navigator)) {
    return;
  }
  const note = document.createElement("p");
  note.className = "map-note";
  note.setAttribute("role", "status");
  button.closest("nav")!.append(note);
  button.disabled = false;

  const dot = document.createElement("span");
  dot.className = "map-position";
  dot.setAttribute("aria-hidden", "true");
  const here = new Marker({ element: dot });
  button.addEventListener("click", () => {
    note.textContent = "";
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        here.setLngLat([coords.longitude, coords.latitude]).addTo(map);
        map.easeTo({ center: [coords.longitude, coords.latitude], zoom: Math.min(closest, map.getMaxZoom()) });
      },
      () => {
        note.textContent = element.dataset.textNowhere!;
      },
    );
  });
}
