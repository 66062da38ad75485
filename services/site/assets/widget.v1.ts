// The widget for other websites: <litfass-events> lists the dates of a filter, and frames with
// data-litfass get the height of their content. It leaves no names in the page.
import { define } from "./widget/element";
import { fitFrames } from "./widget/frames";

const script = (document.currentScript ??
  document.querySelector('script[src*="/widget.v1.js"]')) as HTMLScriptElement | null;

if (script && !customElements.get("litfass-events")) {
  const { origin } = new URL(script.src);
  define(origin);
  fitFrames(origin);
}
