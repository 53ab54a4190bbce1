import type { Tab } from "../support/engines/tab.ts";

declare global {
  interface Window {
    /** The controls that were clicked, whose effects were prevented. */
    pressed?: string[];
  }
}

/** The expected and the actual element in the middle of each visible control. */
type Encounters = { wanted: string[]; met: string[] };

/** Clicks in the middle of each control. Prevents all effects, now and later, until the page is loaded again. */
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

/**
 * Does the same without clicking, because a page without scripts cannot prevent the effects: asks the engine instead.
 */
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

/** Runs in the page: finds a visible control by its number, and scrolls to where it can be clicked. */
function showControl(name: typeof nameControl, index: number): Place | null {
  const all = Array.from(document.querySelectorAll<HTMLElement>("a, button, input, select, summary"));
  // Some controls are for screen readers, or appear only by keyboard.
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

/** Runs in the page: prevents the effects of clicks, and records what was clicked. */
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

/** Runs in the page: names the control that an element is, or is part of. */
function nameControl(element: Element | null): string {
  const control = element?.closest("a, button, input, select, summary");
  if (!control) return `no control: ${element?.outerHTML.slice(0, 200)}`;
  const number = Array.from(document.querySelectorAll("body a, button, input, select, summary")).indexOf(control);
  return `${number} ${control.ariaLabel ?? control.textContent}`;
}
