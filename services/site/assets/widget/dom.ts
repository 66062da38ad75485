// Makes elements. Texts always become text nodes, never markup.
type Child = Node | string | false | undefined;

// Returns an element that hosts can style by the names in part.
export function element<K extends keyof HTMLElementTagNameMap>(tag: K, part: string, ...children: Child[]) {
  const made = document.createElement(tag);
  if (part) {
    made.setAttribute("part", part);
  }
  made.append(...children.filter((child): child is Node | string => !!child));
  return made;
}

// Returns an element with a text of organizers, in the direction of its own letters.
export function written<K extends keyof HTMLElementTagNameMap>(tag: K, part: string, text: string) {
  const made = element(tag, part, text);
  made.dir = "auto";
  return made;
}

// Returns words in their own direction, within a block in that of the page.
export const isolated = (text: string) => element("bdi", "", text);

// Returns a link. Addresses that are not http or https lead nowhere.
export function link(part: string, href: string, ...children: Child[]) {
  const made = element("a", part, ...children);
  if (/^https?:\/\//.test(href)) {
    made.href = href;
  }
  return made;
}
