// Texts by their keys, in the storage of the browser. A text that it refuses, or has no room for, is
// in the page instead, which asks before it is left.
const inPage = new Map<string, string>();

/** A storage of the browser; undefined where the person has turned it off. */
function open(get: () => Storage | null): Storage | undefined {
  try {
    return get() ?? undefined;
  } catch {
    return undefined;
  }
}

const device = open(() => localStorage);

/** The storage that ends with the tab. */
export const tab = open(() => sessionStorage);

/** The stored text of a key, null without any. */
export const textOf = (key: string) => inPage.get(key) ?? device?.getItem(key) ?? null;

/** Whether the text of a key, or any without one, would be lost with the page. */
export const endsWithPage = (key?: string) => (key === undefined ? inPage.size > 0 : inPage.has(key));

// Styles show the words for texts that would be lost, or those for the others.
const say = () => document.body.toggleAttribute("data-unstored", inPage.size > 0);

export function setText(key: string, text: string) {
  try {
    if (!device) throw new Error("there is no storage");
    device.setItem(key, text);
    inPage.delete(key);
  } catch {
    inPage.set(key, text);
  }
  say();
}

export function removeText(key: string) {
  device?.removeItem(key);
  inPage.delete(key);
  say();
}

/** The keys of all texts that begin with a prefix. */
export const keysWith = (prefix: string) =>
  [...Object.keys(device ?? {}), ...inPage.keys()].filter((key) => key.startsWith(prefix));

/** Removes what ends with the tab, of the keys that begin with a prefix. */
export function clearTab(prefix: string) {
  for (const key of Object.keys(tab ?? {})) if (key.startsWith(prefix)) tab?.removeItem(key);
}

let sent = "";

/** The text of a key is sent with the request that leaves the page, which need not ask for it. */
export const leaveWith = (key: string) => {
  sent = key;
};

window.addEventListener("beforeunload", (event) => {
  if ([...inPage.keys()].some((key) => key !== sent)) event.preventDefault();
  sent = "";
});
