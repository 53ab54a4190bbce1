export type Point = { x: number; y: number };

export type Size = { width: number; height: number };

/** Keys without a character, by their names in https://www.w3.org/TR/uievents-key/, and letters with Control. */
export type Key = "Enter" | "Escape" | "Tab" | `Control+${string}`;

export type Cookie = { name: string; value: string };

/** What a driver has to do in one tab, whatever the engine: the verbs of a tab are made of it. */
export type Wire = {
  goto: (url: string) => Promise<unknown>;
  /** What an expression is in the page, which need not run scripts of its own. */
  read: (expression: string) => Promise<unknown>;
  /** Presses the mouse at a point of the window. */
  press: (point: Point) => Promise<unknown>;
  type: (text: string) => Promise<unknown>;
  key: (name: Key) => Promise<unknown>;
  /** Makes the inside of the window as large as that. */
  resize: (size: Size) => Promise<unknown>;
  /** Keeps cookies for the host of the page that is open. */
  keepCookies: (cookies: readonly Cookie[]) => Promise<unknown>;
  /** Writes a picture to a file: of the window, or of the whole page. */
  shot: (path: string, whole: boolean) => Promise<unknown>;
  /** Opens another tab of the same browser. */
  tab: () => Promise<Wire>;
};

export type EngineOptions = {
  javaScript: boolean;
  /** Set where nothing is to move: two pictures of one page are the same then. */
  still?: boolean;
};

/** A browser that has been started, with its first tab. */
type Started = {
  wire: Wire;
  /** Errors that its pages have not caught, or have reported. WebKit's driver does not tell. */
  problems: string[];
  /** A tab that knows nothing of what was kept before, in place of the first one. */
  renew: () => Promise<Wire>;
};
export type UseEngine = (started: Started) => Promise<void>;

const POLL_MS = 50;
/** Milliseconds that whatever is waited for gets: most take a hundredth of it. */
export const PATIENCE_MS = 30_000;

/**
 * A tab of whatever browser. Its mouse presses where a control stands, so that what covers the control is pressed
 * instead, as it would be by a hand.
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
  keepCookies = (cookies: readonly Cookie[]) => this.#wire.keepCookies(cookies);
  shot = (path: string, { whole } = { whole: false }) => this.#wire.shot(path, whole);
  tab = async () => new Tab(await this.#wire.tab());

  read<T>(expression: string): Promise<T> {
    return this.#wire.read(expression) as Promise<T>;
  }

  /** Waits until an expression holds in the page. */
  wait(expression: string): Promise<void> {
    return poll(expression, () => this.read(expression));
  }

  /** Waits until a page is there, with all that comes with it. */
  isAt(path: string): Promise<void> {
    return this.wait(`document.readyState === "complete" && location.pathname === ${JSON.stringify(path)}`);
  }

  /**
   * Presses the mouse in the middle of the first element in sight that fits, with that text if one is given, once it
   * has been scrolled to the middle of the window or where else is said.
   */
  async click(selector: string, text?: string, block?: ScrollLogicalPosition): Promise<void> {
    await this.press(await this.#locate(selector, text, block));
  }

  /** Types a text into a field, in place of what stands in it. */
  async fill(selector: string, text: string): Promise<void> {
    await this.click(selector);
    await this.key("Control+a");
    await this.type(text);
  }

  /** Waits until such an element is in sight, with that text if one is given. */
  async see(selector: string, text?: string): Promise<void> {
    await this.#locate(selector, text);
  }

  /** Where the middle of a control is, once it is the same twice. */
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

/** Asks until the answer is yes. While one page takes the place of another, neither can be asked. */
async function poll(what: string, ask: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  let last: unknown;
  while (performance.now() < end) {
    last = await ask().catch((error: unknown) => error);
    if (last && !(last instanceof Error)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`Never came true: ${what} (at last: ${String(last)})`);
}

/** Runs in the page. Finds nothing while the page loads: Firefox may refuse to press then. */
function findMiddle(selector: string, text: string | null, block: ScrollLogicalPosition): Point | null {
  if (document.readyState !== "complete") return null;
  const all = Array.from(document.querySelectorAll<HTMLElement>(selector));
  const found = all.find((each) => each.checkVisibility() && (text === null || each.innerText.trim() === text));
  if (!found) return null;
  found.scrollIntoView({ block, behavior: "instant" });
  // A link that goes over two lines has its middle between them, where nothing is to be pressed.
  const [first] = found.getClientRects();
  return first ? { x: first.x + first.width / 2, y: first.y + first.height / 2 } : null;
}
