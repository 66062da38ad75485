// The land below the venues, drawn by the site. It is read for boxes on a grid that depends on the
// zoom, so that a browser reads each of them once.
import * as leaflet from "leaflet/dist/leaflet-src.esm.js";

export function addLand(map: leaflet.Map, address: string) {
  const layer = leaflet.geoJSON(undefined, { interactive: false, style: { className: "land" } }).addTo(map);
  let shown = "";
  const show = async () => {
    const box = around(map);
    if (box === shown) {
      return;
    }
    shown = box;
    try {
      const answer = await fetch(`${address}?bbox=${box}`);
      if (answer.ok && box === shown) {
        const land = await answer.json();
        layer.clearLayers();
        layer.addData(land);
      }
    } catch {
      shown = ""; // the next move tries again
    }
  };
  map.on("moveend", show);
  void show();
}

// around returns a box on the grid that holds the view with room to drag it.
function around(map: leaflet.Map) {
  const bounds = map.getBounds();
  const cell = 360 / 2 ** Math.max(1, Math.floor(map.getZoom()) - 1);
  const down = (degrees: number) => Math.floor(degrees / cell - 0.5) * cell;
  const up = (degrees: number) => Math.ceil(degrees / cell + 0.5) * cell;
  let [west, east] = [down(bounds.getWest()), up(bounds.getEast())];
  if (east - west > 360) {
    const middle = Math.round(map.getCenter().lng / 90) * 90;
    [west, east] = [middle - 180, middle + 180];
  }
  const south = Math.max(-85, down(bounds.getSouth()));
  const north = Math.min(85, up(bounds.getNorth()));
  return [west, south, east, north].join(",");
}
