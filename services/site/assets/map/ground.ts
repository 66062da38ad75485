// A map to move and zoom, drawn from the site's tiles in the colours of the page. It knows nothing
// of venues: any page may open one in an element of its own.
import { type GeoJSONSource, type LngLatBounds, Map as LiveMap, setWorkerUrl } from "maplibre-gl";
import { pointsOf, styleOf } from "./style";

/** Vector tiles. */
export interface Tiles {
  tiles: string; // their address, with {z}, {x} and {y}
  zoom: number; // the greatest with tiles
}

/** Where the ground of a map comes from. */
export interface Ground extends Tiles {
  worker: string; // address of the script that reads tiles
  far: number; // the greatest with tiles of the coarser land around
  base?: Tiles | undefined; // the tiles below, where an operator's archive has none
  images?: string | undefined; // address of images that are shown instead
}

/** Reads the ground from the attributes that pages write. */
export function groundOf(data: DOMStringMap): Ground {
  return {
    worker: data.worker!,
    tiles: absolute(data.tiles!),
    zoom: Number(data.zoom),
    far: Number(data.far),
    base: data.base ? { tiles: absolute(data.base), zoom: Number(data.baseZoom) } : undefined,
    images: data.images || undefined,
  };
}

const absolute = (tiles: string) => new URL(tiles, location.href).href.replaceAll("%7B", "{").replaceAll("%7D", "}");

/** Loads the styles of maps. */
export function loadStyles(address?: string) {
  return new Promise<void>((resolve) => {
    if (!address) {
      return resolve();
    }
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}

/** The names of a map and of the button that closes a popup, for screen readers. */
export interface Names {
  map: string;
  close: string;
}

/** What a map within a page says to those who scroll over it, which moves the page. */
export interface Hints {
  wheel: string;
  wheelMac: string;
  fingers: string;
}

/** A place of the map that names of towns leave free, with the text that stands there. */
export interface Taken {
  lon: number;
  lat: number;
  text: string;
}

/** A map with its ground. */
export interface Opened {
  map: LiveMap;
  /** Keeps names of towns away from places. */
  reserve: (places: Taken[]) => void;
}

/** Opens a map that fills a container and shows bounds. With hints it leaves scrolling to the page. */
export function open(
  container: HTMLElement,
  ground: Ground,
  bounds: LngLatBounds,
  names: Names,
  hints?: Hints,
): Opened {
  setWorkerUrl(ground.worker);
  const language = document.documentElement.lang;
  let taken: Taken[] = [];
  const style = () => styleOf(ground, language, taken);
  const map = new LiveMap({
    container,
    style: style(),
    bounds,
    minZoom: 1,
    maxZoom: 17,
    maxPitch: 0,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false, // the page names the sources
    cooperativeGestures: hints !== undefined,
    locale: {
      "Map.Title": names.map,
      "Popup.Close": names.close,
      ...(hints && {
        "CooperativeGesturesHandler.WindowsHelpText": hints.wheel,
        "CooperativeGesturesHandler.MacHelpText": hints.wheelMac,
        "CooperativeGesturesHandler.MobileHelpText": hints.fingers,
      }),
    },
    fadeDuration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 200,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => map.setStyle(style()));
  const reserve = (places: Taken[]) => {
    taken = places;
    map.getSource<GeoJSONSource>("taken")?.setData(pointsOf(places));
  };
  return { map, reserve };
}
