// The look of the map: the layers of an archive in the schema of Protomaps, in the colours of the
// page. The archive of the program has coasts, water, borders and towns; streets come with an
// archive of the operator, below which that of the program is shown where it has no tiles.
import type { Feature, FeatureCollection } from "geojson";
import type { LayerSpecification, SourceSpecification, StyleSpecification } from "maplibre-gl";
import type { Ground, Taken } from "./ground";

// colour returns a variable of the theme as it is now, in light or dark.
function colour(name: string) {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

/** Returns places as the source of the map that names of towns avoid. */
export function pointsOf(places: Taken[]): FeatureCollection {
  const features = places.map(({ lon, lat, text }): Feature => {
    return { type: "Feature", properties: { text }, geometry: { type: "Point", coordinates: [lon, lat] } };
  });
  return { type: "FeatureCollection", features };
}

/** Returns the look of a ground in the colours of the page as they are now. */
export function styleOf(ground: Ground, language: string, taken: Taken[]): StyleSpecification {
  const sources: Record<string, SourceSpecification> = {};
  const layers: LayerSpecification[] = [
    { id: "sea", type: "background", paint: { "background-color": colour("map-sea") } },
  ];
  if (ground.images) {
    const hosts = ground.images.includes("{s}") ? ["a", "b", "c"] : [""];
    const tiles = hosts.map((host) => ground.images!.replace("{s}", host));
    sources.images = { type: "raster", tiles, tileSize: 256, maxzoom: 19 };
    layers.push({ id: "images", type: "raster", source: "images" });
    return { version: 8, sources, layers };
  }
  const { tiles } = ground.base ?? ground;
  sources.far = { type: "vector", tiles: [tiles], maxzoom: ground.far };
  layers.push(...shapes("far", "world_"), towns("far", "world_", language));
  if (ground.base) {
    sources.base = { type: "vector", tiles: [tiles], maxzoom: ground.base.zoom };
    layers.push(...shapes("base", ""), towns("base", "", language));
  }
  sources.ground = { type: "vector", tiles: [ground.tiles], maxzoom: ground.zoom };
  layers.push(...shapes("ground", ""), ...streets(language), towns("ground", "", language));
  sources.taken = { type: "geojson", data: pointsOf(taken) };
  layers.push(unseen());
  // Names stand above all shapes.
  layers.sort((a, b) => Number(a.type === "symbol") - Number(b.type === "symbol"));
  return { version: 8, sources, layers };
}

// unseen takes the room of the venues, which the page shows above the map: the uppermost layer is
// placed first.
function unseen(): LayerSpecification {
  return {
    id: "taken",
    type: "symbol",
    source: "taken",
    layout: {
      "text-field": ["concat", "██\n", ["get", "text"]],
      "text-font": [font()],
      "text-size": 13,
      "text-offset": [0, 0.4],
      "text-allow-overlap": true,
    },
    paint: { "text-opacity": 0 },
  };
}

const isArea = ["in", ["geometry-type"], ["literal", ["Polygon", "MultiPolygon"]]] as const;
const kindIs = (...kinds: string[]) => ["in", ["get", "kind"], ["literal", kinds]] as const;

// shapes are land, water and borders.
function shapes(source: string, prefix: string): LayerSpecification[] {
  const layer = (name: string) => ({ id: `${source} ${name}`, source, "source-layer": prefix + name }) as const;
  return [
    { ...layer("earth"), type: "fill", paint: { "fill-color": colour("map-land") } },
    {
      ...layer("landuse"),
      type: "fill",
      filter: kindIs("park", "forest", "wood", "nature_reserve", "grassland", "meadow", "cemetery") as never,
      paint: { "fill-color": colour("map-green") },
    },
    { ...layer("water"), type: "fill", filter: isArea as never, paint: { "fill-color": colour("map-sea") } },
    {
      ...layer("boundaries"),
      type: "line",
      filter: kindIs("country") as never,
      paint: { "line-color": colour("map-border"), "line-width": 1, "line-dasharray": [3, 2] },
    },
  ];
}

// streets are what only an archive of the operator has.
function streets(language: string): LayerSpecification[] {
  const roads = { source: "ground", "source-layer": "roads" } as const;
  const width = (from: number, factor: number) =>
    ["interpolate", ["exponential", 1.6], ["zoom"], from, 0.4, 18, 14 * factor] as never;
  const road = (id: string, minzoom: number, factor: number, ...kinds: string[]): LayerSpecification => ({
    ...roads,
    id,
    type: "line",
    minzoom,
    filter: kindIs(...kinds) as never,
    layout: { "line-cap": "round", "line-join": "round" },
    paint: { "line-color": colour("map-road"), "line-width": width(minzoom, factor) },
  });
  return [
    {
      id: "buildings",
      type: "fill",
      source: "ground",
      "source-layer": "buildings",
      minzoom: 14,
      paint: { "fill-color": colour("map-building") },
    },
    road("paths", 14, 0.2, "path", "other"),
    road("minor", 12, 0.7, "minor_road"),
    road("major", 8, 1, "major_road"),
    road("highways", 5, 1.2, "highway"),
    {
      ...roads,
      id: "road names",
      type: "symbol",
      minzoom: 13,
      layout: { "symbol-placement": "line", "text-field": name(language), "text-font": [font()], "text-size": 12 },
      paint: ink("ink-soft"),
    },
  ];
}

const name = (language: string) => ["coalesce", ["get", `name:${language}`], ["get", "name"]] as never;

const font = () => getComputedStyle(document.body).fontFamily;

const ink = (variable: string) => ({
  "text-color": colour(variable),
  "text-halo-color": colour("map-land"),
  "text-halo-width": 1.5,
});

// towns are the names of towns, the largest first where there is no room for all.
function towns(source: string, prefix: string, language: string): LayerSpecification {
  const from = ["coalesce", ["get", "min_zoom"], 0];
  return {
    id: `${source} places`,
    type: "symbol",
    source,
    "source-layer": `${prefix}places`,
    filter: ["all", ["==", ["get", "kind"], "locality"], ["<=", from, ["+", ["zoom"], 1]]] as never,
    layout: {
      "text-field": name(language),
      "text-font": [font()],
      "text-size": ["interpolate", ["linear"], from, 3, 15, 10, 12] as never,
      "text-max-width": 8,
      "text-padding": 6,
      "symbol-sort-key": from as never,
    },
    paint: ink("ink"),
  };
}
