// The map of one place that can be moved, in place of the drawing of the page.
import { Marker } from "maplibre-gl";
import { boundsOf } from "./box";
import { groundOf, loadStyles, open } from "./ground";

/** Shows the map of an element with data-map-place. */
export async function show(sheet: HTMLElement) {
  await loadStyles(sheet.dataset.style);
  const drawing = sheet.querySelector("img")!;
  const pin = sheet.querySelector(".place-pin")!;
  const container = document.createElement("div");
  container.className = "map-live";
  sheet.append(container);

  const { textLabel, textClose, textWheel, textWheelMac, textFingers } = sheet.dataset;
  const bounds = boundsOf(sheet.dataset.bbox!);
  const { map, reserve } = open(
    container,
    groundOf(sheet.dataset),
    bounds,
    { map: textLabel!, close: textClose! },
    { wheel: textWheel!, wheelMac: textWheelMac!, fingers: textFingers! },
  );
  await new Promise((loaded) => map.once("load", loaded));
  const spot = document.createElement("div");
  spot.setAttribute("aria-hidden", "true");
  spot.append(pin);
  const { lng: lon, lat } = bounds.getCenter();
  new Marker({ element: spot, anchor: "bottom" }).setLngLat([lon, lat]).addTo(map);
  reserve([{ lon, lat, text: "" }]);
  drawing.remove();
  container.classList.add("map-ready");
}
