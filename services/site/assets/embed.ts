// The page in a frame names its height to the page around it, whenever it changes or is asked for.
// It holds nothing else, so every page may know it.
const name = () => parent.postMessage({ litfassHeight: document.documentElement.getBoundingClientRect().height }, "*");

if (parent !== window) {
  new ResizeObserver(name).observe(document.documentElement);
  addEventListener("message", ({ data, source }) => {
    if (source === parent && data?.litfassAsk) {
      name();
    }
  });
}

export {};
