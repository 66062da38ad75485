// The focus point of an image: it is set with a click, a tap or the arrow keys, each crop of the
// image follows at once, and it is saved after a moment without changes.

const percent = 100;
const pause = 600; // milliseconds after the last key

const number = (input: HTMLInputElement | null) => {
  const typed = Number.parseFloat((input?.value ?? "").replace(",", "."));
  return Number.isFinite(typed) ? Math.min(Math.max(typed / percent, 0), 1) : 0.5;
};

/** The fields of the form around a stage. */
function inputs(stage: HTMLElement) {
  const form = stage.closest("form");
  const field = (name: string) => form?.querySelector<HTMLInputElement>(`input[name=${name}]`) ?? null;
  return { form, x: field("focus_x"), y: field("focus_y") };
}

/** The part of a length, as long as 1, that stands out before a box around a point of it. */
function position(scaled: number, at: number): string {
  if (scaled <= 1) return "50%";
  const offset = Math.min(Math.max(at * scaled - 0.5, 0), scaled - 1);
  return `${(percent * offset) / (scaled - 1)}%`;
}

/** Moves the marker, and crops the image around it as the service does. */
function draw(stage: HTMLElement, cut: boolean) {
  const { form, x, y } = inputs(stage);
  const [left, top] = [number(x), number(y)];
  const marker = stage.querySelector<HTMLElement>("[data-marker]");
  if (marker) {
    marker.hidden = false;
    marker.style.left = `${left * percent}%`;
    marker.style.top = `${top * percent}%`;
  }
  if (!cut || !form) return;
  const ratio = Number(stage.dataset.width) / Number(stage.dataset.height);
  const whole = stage.querySelector("img")?.getAttribute("src") ?? "";
  for (const image of form.querySelectorAll<HTMLImageElement>("[data-crop]")) {
    const [across = 1, down = 1] = (image.dataset.crop ?? "").split(":").map(Number);
    const shape = across / down;
    if (image.getAttribute("src") !== whole) image.src = whole;
    image.style.objectPosition = `${position(ratio / shape, left)} ${position(shape / ratio, top)}`;
  }
}

const waiting = new WeakMap<HTMLElement, number>();

/** Saves the point: at once, or after a pause. */
function save(stage: HTMLElement, after: number) {
  window.clearTimeout(waiting.get(stage));
  const { x } = inputs(stage);
  const send = () => {
    waiting.delete(stage);
    x?.dispatchEvent(new Event("change", { bubbles: true }));
  };
  if (after > 0) waiting.set(stage, window.setTimeout(send, after));
  else send();
}

function set(stage: HTMLElement, left: number, top: number) {
  const { x, y } = inputs(stage);
  if (!x || !y) return;
  const whole = (share: number) => String(Math.round(Math.min(Math.max(share, 0), 1) * percent));
  [x.value, y.value] = [whole(left), whole(top)];
  for (const input of [x, y]) input.dispatchEvent(new Event("input", { bubbles: true }));
}

const stageOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-stage]") : null;

/** Makes the stages usable, including stages that a response has just added. */
export function prepareStages() {
  for (const stage of document.querySelectorAll<HTMLElement>("[data-stage]")) {
    stage.tabIndex = 0;
    stage.setAttribute("role", "button");
    stage.setAttribute("aria-label", stage.dataset.label ?? "");
    draw(stage, false);
  }
}

document.addEventListener("click", (event) => {
  const stage = stageOf(event.target);
  if (!stage || event.detail === 0) return;
  const box = stage.getBoundingClientRect();
  set(stage, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  save(stage, 0);
});

const steps: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

document.addEventListener("keydown", (event) => {
  const stage = stageOf(event.target);
  const step = steps[event.key];
  if (!stage || !step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const { x, y } = inputs(stage);
  const size = (event.shiftKey ? 10 : 1) / percent;
  set(stage, number(x) + step[0] * size, number(y) + step[1] * size);
  save(stage, pause);
});

document.addEventListener("focusout", (event) => {
  const stage = stageOf(event.target);
  if (stage && waiting.has(stage)) save(stage, 0);
});

document.addEventListener("input", (event) => {
  const form = event.target instanceof Element ? event.target.closest("form") : null;
  const stage = form?.querySelector<HTMLElement>("[data-stage]");
  if (stage) draw(stage, true);
});

document.addEventListener("litfass:restored", (event) => {
  const stage = (event.target as Element).querySelector<HTMLElement>("[data-stage]");
  if (stage) draw(stage, true);
});
document.addEventListener("htmx:after:swap", prepareStages);
prepareStages();
