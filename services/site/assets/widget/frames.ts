// Gives each <iframe data-litfass> the height that its page names. Only frames that show a page of
// the site are heard.
const maxHeight = 20_000; // pixels

export function fitFrames(origin: string) {
  const frames = () => document.querySelectorAll<HTMLIFrameElement>("iframe[data-litfass]");
  addEventListener("message", ({ data, origin: from, source }) => {
    const height = data?.litfassHeight;
    if (from !== origin || !(height > 0 && height <= maxHeight)) {
      return;
    }
    for (const frame of frames()) {
      if (frame.contentWindow === source) {
        frame.style.height = `${Math.ceil(height)}px`;
      }
    }
  });
  // Pages that were loaded before this script have named their height already.
  for (const frame of frames()) {
    frame.contentWindow?.postMessage({ litfassAsk: true }, "*");
  }
}
