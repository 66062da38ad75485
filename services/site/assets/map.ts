// Maps: an element with data-map shows the venues that the page has drawn on a map that can be moved,
// and reads others from the part of the page at data-part. One with data-map-place shows where a
// place is, once it is nearly seen. Where the browser cannot draw them, the drawings of the page
// stay. Only pages with maps load this.

// canDraw reports whether the browser has what MapLibre draws with.
function canDraw() {
  try {
    return document.createElement("canvas").getContext("webgl2") !== null;
  } catch {
    return false;
  }
}

async function start(element: HTMLElement) {
  const { show } = await import("./map/live");
  await show(element);
}

// whenSeen calls back once, shortly before an element is scrolled into view.
function whenSeen(element: Element, seen: () => void) {
  const watcher = new IntersectionObserver(
    ([entry]) => {
      if (entry!.isIntersecting) {
        watcher.disconnect();
        seen();
      }
    },
    { rootMargin: "100px" },
  );
  watcher.observe(element);
}

async function startPlace(element: HTMLElement) {
  const { show } = await import("./map/place");
  await show(element);
}

if (canDraw()) {
  for (const element of document.querySelectorAll<HTMLElement>("[data-map]")) {
    void start(element);
  }
  for (const element of document.querySelectorAll<HTMLElement>("[data-map-place]")) {
    whenSeen(element, () => void startPlace(element));
  }
}
