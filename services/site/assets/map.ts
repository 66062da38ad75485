// The map: an element with data-map shows the venues that the page has drawn on a map that can be
// moved, and reads others from the part of the page at data-part. Where the browser cannot draw it,
// the drawing of the page stays. Only the page of the map loads it.

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

if (canDraw()) {
  for (const element of document.querySelectorAll<HTMLElement>("[data-map]")) {
    void start(element);
  }
}
