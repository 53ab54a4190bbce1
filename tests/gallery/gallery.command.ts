import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Browser } from "@playwright/test";
import type { SeededMember } from "../support/app-process.ts";
import { chromiumOptions } from "../support/chromium.mjs";
import { PEOPLE, seedPeople, type Person } from "../support/showcase.ts";
import { SHOWN_PAGES } from "../support/shown-pages.ts";
import { startApp, type RunningApp } from "../support/start-app.ts";
import { writeAlbum, type Picture } from "./album.ts";
import { openTab, type Size, type Theme } from "./open-tab.ts";
import { STATES, type State } from "./states.ts";

const FOLDER = ".gallery";
const THEMES: Theme[] = ["light", "dark"];
const SIZES: Size[] = [
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];

const USAGE = `Takes pictures of every page, dialog and state of the built application, and shows them in ${FOLDER}/index.html:
in both themes, in ${SIZES.length} sizes, with and without JavaScript, for a visitor, a new member and a member with a history.

  npm run build && npm run gallery                        everything: some minutes
  npm run gallery -- --pages /auth,/dashboard             these pages with their states

  --help    says this`;

/** What is to be seen, and by whom: a page as it is opened, or in one of its states. */
type Sight = { page: string; person: string; findMember: () => Promise<SeededMember | null>; state?: State };

const { values } = parseArgs({ options: { pages: { type: "string" }, help: { type: "boolean", short: "h" } } });

async function main() {
  if (values.help) return console.log(USAGE);
  const asked = values.pages?.split(",") ?? SHOWN_PAGES;
  const unknown = asked.find((page) => !SHOWN_PAGES.includes(page));
  if (unknown !== undefined) throw new Error(`${unknown} is not one of ${SHOWN_PAGES.join(", ")}`);
  const app = await startApp();
  const browser = await chromium.launch({ args: ["--no-sandbox", "--disable-gpu"], ...chromiumOptions() });
  try {
    await takePictures({ app, browser }, asked);
  } finally {
    await browser.close();
    await app.close();
  }
}

type Studio = { app: RunningApp; browser: Browser };

async function takePictures(studio: Studio, pages: readonly string[]) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  const people = await seedPeople(studio.app);
  const pictures: Picture[] = [];
  for (const page of pages) {
    const sights = [
      ...PEOPLE.map((person): Sight => ({ page, person, findMember: async () => people[person] })),
      ...listStates(studio.app, people, page),
    ];
    for (const sight of sights) pictures.push(...(await takeSeries(studio, sight)));
    writeFileSync(join(FOLDER, "index.html"), writeAlbum(pictures));
    console.log(`${page}: ${pictures.filter((picture) => picture.page === page).length} pictures`);
  }
  console.log(`${FOLDER}/index.html shows all ${pictures.length}.`);
}

type People = Record<Person, SeededMember | null>;

/** A member made for a state is made for each look at it, so that none finds what an earlier one has left. */
function listStates(app: RunningApp, people: People, page: string): Sight[] {
  return STATES.filter((state) => state.page === page).map((state) => {
    const { person } = state;
    if (typeof person === "string") return { page, person, findMember: async () => people[person], state };
    return { page, person: "Another member", findMember: () => app.seed.member(person), state };
  });
}

/** One sight with and without JavaScript, in both themes and all sizes. Empty where the page is not for this person. */
async function takeSeries(studio: Studio, sight: Sight): Promise<Picture[]> {
  const series: Picture[] = [];
  try {
    for (const javaScript of sight.state?.scripted ? [true] : [true, false]) {
      for (const theme of THEMES) series.push(...(await takeSizes(studio, sight, { javaScript, theme })));
    }
  } catch (error) {
    // One state that no longer comes about is no reason to show nothing.
    console.error(error);
    process.exitCode = 1;
  }
  return series;
}

/** Opens it once: a window can be made larger. */
async function takeSizes({ app, browser }: Studio, sight: Sight, look: Pick<Picture, "javaScript" | "theme">) {
  const { findMember, page, person, state } = sight;
  const sizes = state?.sizes ?? SIZES;
  const scene = { page, person, state: state?.name, ...look };
  const { context, tab } = await openTab(browser, app.url, { member: await findMember(), ...look });
  const pictures: Picture[] = [];
  try {
    if (sizes[0]) await tab.resize(sizes[0]);
    const shownAt = await tab.goto(state?.address ?? page);
    // Who is signed in is led away from the pages of sign-in, and who is not from those of members.
    if (!state && shownAt !== page) return [];
    await state?.show?.(tab);
    for (const size of sizes) {
      const file = nameFile({ ...scene, size });
      await tab.resize(size);
      await tab.shot(join(FOLDER, file), { whole: !state?.show });
      pictures.push({ ...scene, size, file });
    }
    return pictures;
  } catch (error) {
    const file = nameFile(scene);
    await tab.shot(join(FOLDER, file), { whole: false });
    throw new Error(`This state does not come about: see ${join(FOLDER, file)}`, { cause: error });
  } finally {
    await context.close();
  }
}

type Named = Omit<Picture, "file" | "size"> & { size?: Size };

function nameFile({ javaScript, page, person, size, state = "page", theme }: Named): string {
  const words = [page.slice(1), person, state, theme, javaScript ? "scripted" : "plain", size?.width ?? ""];
  return `${words
    .join(" ")
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")}.png`;
}

await main();
