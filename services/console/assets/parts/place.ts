// Maps of venues, and the search around the place where a person is.

interface Frame {
  x: number;
  y: number;
  w: number;
}
type Position = [lon: number, lat: number];

const width = 400;

const frameOf = (chart: Element): Frame => {
  const [x = 0, y = 0, w = 1] = (chart.getAttribute("data-chart") ?? "").split(" ").map(Number);
  return { x, y, w };
};

function project(frame: Frame, [lon, lat]: Position): [number, number] {
  const north = (Math.max(-85, Math.min(85, lat)) * Math.PI) / 180;
  const x = (lon + 180) / 360;
  const y = (1 - Math.asinh(Math.tan(north)) / Math.PI) / 2;
  return [((x - frame.x) / frame.w) * width, ((y - frame.y) / frame.w) * width];
}

function unproject(frame: Frame, x: number, y: number): Position {
  const east = frame.x + (x / width) * frame.w;
  const south = Math.max(0, Math.min(1, frame.y + (y / width) * frame.w));
  const lon = (east - Math.floor(east)) * 360 - 180;
  return [lon, (Math.atan(Math.sinh(Math.PI * (1 - 2 * south))) * 180) / Math.PI];
}

const round = (degrees: number) => String(Math.round(degrees * 1e5) / 1e5);

/** Draws the land, loaded from the public site; without it a map shows only its marks. */
async function drawLand(chart: Element) {
  const path = chart.querySelector("[data-land]");
  if (!path || path.hasAttribute("d")) return;
  path.setAttribute("d", "");
  const frame = frameOf(chart);
  const [west, north] = unproject(frame, 0, 0);
  const [, south] = unproject(frame, 0, 300);
  const box = [west, south, west + Math.min(360, frame.w * 360), north].map((n) => n.toFixed(4)).join(",");
  try {
    const answer = await fetch(`/map/land.json?bbox=${box}`);
    if (!answer.ok) return;
    const land = (await answer.json()) as { coordinates: Position[][][] };
    const rings = land.coordinates.flat().map((ring) =>
      ring
        .map((point) =>
          project(frame, point)
            .map((n) => n.toFixed(1))
            .join(" "),
        )
        .join("L"),
    );
    path.setAttribute("d", rings.map((ring) => `M${ring}z`).join(""));
  } catch {
    // The map stays without land.
  }
}

function inputs(chart: Element) {
  const form = chart.closest("form");
  const lat = form?.querySelector<HTMLInputElement>("input[name=lat]");
  const lon = form?.querySelector<HTMLInputElement>("input[name=lon]");
  return lat && lon ? { lat, lon } : null;
}

/** The position in the fields of a map; nothing when it is not one. */
function typed({ lat, lon }: { lat: HTMLInputElement; lon: HTMLInputElement }): Position | null {
  const [north = NaN, east = NaN] = [lat, lon].map(({ value }) => Number.parseFloat(value.replace(",", ".")));
  return Number.isFinite(north + east) ? [east, north] : null;
}

/** Puts the mark on the map where its fields say. */
function mark(chart: Element) {
  const fields = inputs(chart);
  const here = chart.querySelector("[data-here]");
  const position = fields && typed(fields);
  here?.toggleAttribute("hidden", !position);
  if (!position) return;
  const [x, y] = project(frameOf(chart), position);
  here?.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
}

/** Puts a position into the fields of a map, and saves it. */
let later = 0;
function choose(chart: Element, position: Position) {
  const fields = inputs(chart);
  if (!fields) return;
  fields.lon.value = round(position[0]);
  fields.lat.value = round(position[1]);
  fields.lat.dispatchEvent(new Event("input", { bubbles: true }));
  clearTimeout(later);
  later = window.setTimeout(() => fields.lat.dispatchEvent(new Event("change", { bubbles: true })), 600);
}

function searchAt(address: string, position: Position) {
  const to = new URL(address, location.href);
  to.searchParams.set("lat", round(position[1]));
  to.searchParams.set("lon", round(position[0]));
  const url = to.pathname + to.search;
  const htmx = (window as unknown as { htmx?: { ajax(verb: string, path: string, how: object): unknown } }).htmx;
  if (htmx && document.getElementById("place-found"))
    htmx.ajax("GET", url, { target: "#place-found", swap: "outerHTML" });
  else location.href = url;
}

document.addEventListener("click", (event) => {
  const target = event.target as Element;
  const chart = target.closest?.("[data-chart]");
  if (chart && !target.closest("a")) {
    const box = chart.getBoundingClientRect();
    const scale = width / box.width;
    const at = unproject(frameOf(chart), (event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
    const search = chart.getAttribute("data-search");
    if (search) searchAt(search, at);
    else choose(chart, at);
  }
  const locate = target.closest?.<HTMLElement>("[data-locate]");
  if (locate) {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => searchAt(locate.dataset.locate ?? "", [coords.longitude, coords.latitude]),
      () => {
        const status = locate.closest("form")?.querySelector("[data-located]");
        if (status) status.textContent = locate.dataset.refused ?? "";
      },
      { timeout: 10_000, maximumAge: 300_000 },
    );
  }
});

// Arrow keys move a position, with the shift key by little.
const steps: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};
document.addEventListener("keydown", (event) => {
  const chart = (event.target as Element).closest?.("[data-chart][tabindex]");
  const step = steps[event.key];
  const fields = chart && inputs(chart);
  if (!chart || !step || !fields) return;
  event.preventDefault();
  const frame = frameOf(chart);
  const position = typed(fields);
  const from = position ? project(frame, position) : [200, 150];
  const by = event.shiftKey ? 1 : 10;
  choose(chart, unproject(frame, (from[0] ?? 0) + step[0] * by, (from[1] ?? 0) + step[1] * by));
});

document.addEventListener("input", (event) => {
  const field = event.target as HTMLInputElement;
  const chart = ["lat", "lon"].includes(field.name) ? field.closest("form")?.querySelector("[data-chart]") : null;
  if (chart) mark(chart);
});

// Two coordinates that are pasted into the field of the latitude, as maps copy them, also with
// decimal commas.
const pairs = [
  /^\s*(-?\d{1,2}\.\d+)\s*[,;\s]\s*(-?\d{1,3}\.\d+)\s*$/,
  /^\s*(-?\d{1,2},\d+)\s*[;\s]\s*(-?\d{1,3},\d+)\s*$/,
];
document.addEventListener("input", (event) => {
  const field = event.target as HTMLInputElement;
  const found = field.name === "lat" ? pairs.map((pair) => pair.exec(field.value)).find((parts) => parts) : null;
  const [, lat = NaN, lon = NaN] = found?.map((part) => Number(part.replace(",", "."))) ?? [];
  const chart = field.closest?.("form")?.querySelector("[data-chart]");
  if (chart && Number.isFinite(lat + lon)) choose(chart, [lon, lat]);
});

// A position that is proposed.
document.addEventListener("change", (event) => {
  const like = event.target as HTMLInputElement;
  const chart = like.name === "like" && like.value ? like.closest("form")?.querySelector("[data-chart]") : null;
  const [lat = NaN, lon = NaN] = like.value?.split(" ").map(Number) ?? [];
  if (chart && Number.isFinite(lat + lon)) choose(chart, [lon, lat]);
});

// After a choice the section is drawn again: who pressed its button goes on at its beginning.
document.addEventListener("htmx:after:settle", () => {
  if (pressed && document.activeElement === document.body) document.getElementById("place")?.focus();
  pressed = false;
  start();
});
let pressed = false;
document.addEventListener("submit", (event) => {
  pressed = (event.target as Element).matches(".place-choose");
});

function start() {
  for (const chart of document.querySelectorAll("[data-chart]")) {
    void drawLand(chart);
    if (inputs(chart)) mark(chart);
  }
  if ("geolocation" in navigator)
    for (const button of document.querySelectorAll<HTMLElement>("[data-locate]")) button.hidden = false;
}
start();
