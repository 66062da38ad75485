// Boxes as addresses have them: west, south, east and north in degrees, with west above east across
// the antimeridian.
import { LngLatBounds } from "maplibre-gl";

const round = (degrees: number) => Math.round(degrees * 1e4) / 1e4;

const normal = (lon: number) => (lon >= -180 && lon <= 180 ? lon : ((((lon + 180) % 360) + 360) % 360) - 180);

export function boundsOf(box: string) {
  const [west = 0, south = 0, east = 0, north = 0] = box.split(",").map(Number);
  return new LngLatBounds([west, south], [east < west ? east + 360 : east, north]);
}

export function boxOf(bounds: LngLatBounds) {
  const [west, east] = [bounds.getWest(), bounds.getEast()];
  const south = round(Math.max(-85, bounds.getSouth()));
  const north = round(Math.min(85, bounds.getNorth()));
  if (east - west >= 360) {
    return [-180, south, 180, north].join(",");
  }
  return [round(normal(west)), south, round(normal(east)), north].join(",");
}

/** Reports whether bounds, with a margin of a share of their size, hold others. */
export function holds(outer: LngLatBounds, inner: LngLatBounds, margin: number) {
  const [wide, high] = [(outer.getEast() - outer.getWest()) * margin, (outer.getNorth() - outer.getSouth()) * margin];
  return (
    inner.getWest() >= outer.getWest() - wide &&
    inner.getEast() <= outer.getEast() + wide &&
    inner.getSouth() >= outer.getSouth() - high &&
    inner.getNorth() <= outer.getNorth() + high
  );
}

/** Returns a longitude as many times around the earth as brings it nearest to another one. */
export const near = (lon: number, to: number) => lon + 360 * Math.round((to - lon) / 360);
