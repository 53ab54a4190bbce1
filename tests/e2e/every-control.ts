import type { Tab } from "../support/engines/tab.ts";

declare global {
  interface Window {
    /** What the mouse has pressed, in place of what would have come of it. */
    pressed?: string[];
  }
}

/** What was to be met in the middle of each control in sight, and what was. */
type Encounters = { wanted: string[]; met: string[] };

/**
 * Presses the mouse in the middle of each control. Nothing comes of it, now or later, until the page is loaded again.
 */
export async function pressEach(tab: Tab): Promise<Encounters> {
  await tab.read(`(${catchPresses.toString()})(${nameControl.toString()})`);
  const wanted: string[] = [];
  for (let place = await findPlace(tab, 0); place; place = await findPlace(tab, wanted.length)) {
    wanted.push(place.wanted);
    await tab.press(place);
    await tab.wait(`window.pressed.length === ${wanted.length}`);
  }
  return { wanted, met: await tab.read<string[]>("window.pressed") };
}

/** The same without pressing, since a page without scripts cannot hold back what comes of it: the engine is asked. */
export async function pointAtEach(tab: Tab): Promise<Encounters> {
  const [wanted, met]: [string[], string[]] = [[], []];
  for (let place = await findPlace(tab, 0); place; place = await findPlace(tab, wanted.length)) {
    wanted.push(place.wanted);
    met.push(place.met);
  }
  return { wanted, met };
}

type Place = { x: number; y: number; wanted: string; met: string };

const findPlace = (tab: Tab, index: number) =>
  tab.read<Place | null>(`(${showControl.toString()})(${nameControl.toString()}, ${index})`);

/** Runs in the page: the control of that number among those in sight, brought to where it can be pressed. */
function showControl(name: typeof nameControl, index: number): Place | null {
  const all = Array.from(document.querySelectorAll<HTMLElement>("a, button, input, select, summary"));
  // Some are for readers who hear the page, or come into sight by the keyboard.
  const control = all.filter(
    (each) =>
      each.checkVisibility({ visibilityProperty: true }) &&
      each.offsetWidth > 1 &&
      !each.matches(":disabled, [href='#main']"),
  )[index];
  if (!control) return null;
  control.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, right, top, bottom } = control.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return { x, y, wanted: name(control), met: name(document.elementFromPoint(x, y)) };
}

/** Runs in the page: holds back whatever comes of a press, and writes down what was pressed. */
function catchPresses(name: typeof nameControl) {
  const pressed: string[] = [];
  Object.assign(window, { pressed });
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
    addEventListener(
      type,
      (event) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        if (type === "click") pressed.push(name(event.target as Element));
      },
      true,
    );
}

/** Runs in the page: names the control that an element is, or is within. */
function nameControl(element: Element | null): string {
  const control = element?.closest("a, button, input, select, summary");
  if (!control) return `no control: ${element?.outerHTML.slice(0, 200)}`;
  const number = Array.from(document.querySelectorAll("body a, button, input, select, summary")).indexOf(control);
  return `${number} ${control.ariaLabel ?? control.textContent}`;
}
