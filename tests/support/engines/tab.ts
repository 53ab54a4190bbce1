export type Point = { x: number; y: number };

export type Size = { width: number; height: number };

/** Keys without a character, by their names in https://www.w3.org/TR/uievents-key/, and letters with Control. */
export type Key = "Enter" | "Escape" | "Tab" | `Control+${string}`;

export type Cookie = { name: string; value: string };

/** What a driver can do in one tab, whatever the engine. The methods of `Tab` build on it. */
export type Wire = {
  goto: (url: string) => Promise<unknown>;
  /** Returns the value of an expression in the page, even if the page's own scripts are disabled. */
  read: (expression: string) => Promise<unknown>;
  /** Clicks at a point of the window. */
  press: (point: Point) => Promise<unknown>;
  type: (text: string) => Promise<unknown>;
  key: (name: Key) => Promise<unknown>;
  /** Resizes the window's content area. */
  resize: (size: Size) => Promise<unknown>;
  /** Sets cookies for the host of the open page. */
  setCookies: (cookies: readonly Cookie[]) => Promise<unknown>;
  /** Saves a screenshot of the window, or of the whole page. */
  shot: (path: string, whole: boolean) => Promise<unknown>;
  /** Opens another tab of the same browser. */
  tab: () => Promise<Wire>;
};

export type EngineOptions = {
  javaScript: boolean;
  /** Disables animations, so that two screenshots of one page are equal. */
  still?: boolean;
};

/** A running browser, with its first tab. */
type Started = {
  wire: Wire;
  /** Errors that its pages have not caught, or have logged. WebKit's driver does not report any. */
  problems: string[];
  /** Replaces the first tab with one that has no stored data. */
  renew: () => Promise<Wire>;
};
export type UseEngine = (started: Started) => Promise<void>;

const POLL_MS = 50;
/** How long to wait for anything, in milliseconds. Most things take a hundredth of that. */
export const TIMEOUT_MS = 30_000;

/**
 * A tab of any browser. Clicks go to where a control is, so that an element that covers it gets the click instead, as
 * with a real mouse.
 */
export class Tab {
  readonly #wire: Wire;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  goto = (url: string) => this.#wire.goto(url);
  press = (point: Point) => this.#wire.press(point);
  type = (text: string) => this.#wire.type(text);
  key = (name: Key) => this.#wire.key(name);
  resize = (size: Size) => this.#wire.resize(size);
  setCookies = (cookies: readonly Cookie[]) => this.#wire.setCookies(cookies);
  shot = (path: string, { whole } = { whole: false }) => this.#wire.shot(path, whole);
  tab = async () => new Tab(await this.#wire.tab());

  read<T>(expression: string): Promise<T> {
    return this.#wire.read(expression) as Promise<T>;
  }

  /** Waits until an expression is true in the page. */
  wait(expression: string): Promise<void> {
    return poll(expression, () => this.read(expression));
  }

  /** Waits until a page and all its resources are loaded. */
  isAt(path: string): Promise<void> {
    return this.wait(`document.readyState === "complete" && location.pathname === ${JSON.stringify(path)}`);
  }

  /**
   * Clicks in the middle of the first visible element that matches, with this text if one is given. Scrolls it to the
   * middle of the window first, or to `block`.
   */
  async click(selector: string, text?: string, block?: ScrollLogicalPosition): Promise<void> {
    await this.press(await this.#locate(selector, text, block));
  }

  /** Types a text into a field, replacing what is in it. */
  async fill(selector: string, text: string): Promise<void> {
    const isFilled = `Array.from(document.querySelectorAll(${JSON.stringify(selector)})).some((each) => each.value === ${JSON.stringify(text)})`;
    await poll(`${selector} is filled`, async () => {
      await this.click(selector);
      await this.key("Control+a");
      await this.type(text);
      return this.read(isFilled);
    });
  }

  /** Waits until a matching element is visible, with this text if one is given. */
  async see(selector: string, text?: string): Promise<void> {
    await this.#locate(selector, text);
  }

  /** Returns the middle of a control, once its position is the same twice. */
  async #locate(selector: string, text?: string, block: ScrollLogicalPosition = "center"): Promise<Point> {
    const middle = `(${findMiddle.toString()})(...${JSON.stringify([selector, text, block])})`;
    let place = "null";
    await poll(`${selector} ${text ?? ""} stands still`, async () => {
      const before = place;
      place = JSON.stringify(await this.read(middle));
      return place !== "null" && place === before;
    });
    return JSON.parse(place) as Point;
  }
}

/** Polls until the answer is truthy. Ignores errors, because no page answers while one replaces another. */
async function poll(what: string, probe: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  let last: unknown;
  while (performance.now() < end) {
    last = await probe().catch((error: unknown) => error);
    if (last && !(last instanceof Error)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`Never came true: ${what} (at last: ${String(last)})`);
}

/** Runs in the page. Finds nothing while the page loads, because Firefox may refuse to click then. */
function findMiddle(selector: string, text: string | null, block: ScrollLogicalPosition): Point | null {
  if (document.readyState !== "complete") return null;
  const all = Array.from(document.querySelectorAll<HTMLElement>(selector));
  const found = all.find((each) => each.checkVisibility() && (text === null || each.innerText.trim() === text));
  if (!found) return null;
  found.scrollIntoView({ block, behavior: "instant" });
  // A link that spans two lines has its middle between them, where a click hits nothing.
  const [first] = found.getClientRects();
  return first ? { x: first.x + first.width / 2, y: first.y + first.height / 2 } : null;
}
