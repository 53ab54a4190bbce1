import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SeededMember } from "../support/app-messages.ts";
import { ENGINE_NAMES, hasEngine, withEngine, type EngineName } from "../support/engines/engines.ts";
import type { Size, Tab as EngineTab } from "../support/engines/tab.ts";
import { PEOPLE, seedPeople, type Person } from "../support/seeds/showcase.ts";
import { SHOWN_PAGES } from "../support/pages/shown-pages.ts";
import { startApp, type RunningApp } from "../support/servers/start-app.ts";
import { writeAlbum, type Picture } from "./album.ts";
import { openTab, type Theme } from "./open-tab.ts";
import { STATES, type State } from "./states.ts";
import { readOptions, refuse } from "../support/command-options.ts";

const FOLDER = ".gallery";
const THEMES: Theme[] = ["light", "dark"];
const ALL_SIZES: Record<string, Size> = {
  1280: { width: 1280, height: 720 },
  1440: { width: 1440, height: 900 },
  1920: { width: 1920, height: 1080 },
};

const USAGE = `Takes pictures of every page, dialog and state of the built application, and shows them in ${FOLDER}/index.html:
in ${ENGINE_NAMES.join(", ")} beside one another, in both themes, in ${Object.keys(ALL_SIZES).length} sizes, with and without JavaScript, for a visitor, a new
member and a member with a history.

  npm run build && npm run gallery                        everything: up to an hour
  npm run gallery -- --pages /auth,/dashboard             these pages with their states
  npm run gallery -- --engines Firefox,WebKit             in these engines
  npm run gallery -- --sizes 1280,1440                    in windows of these widths
  npm run gallery -- --scripted                           only with JavaScript

  --help    shows this help`;

/** What to show, and to whom: a page as opened, or in one of its states. */
type Sight = { page: string; person: string; findMember: () => Promise<SeededMember | null>; state?: State };

const { values } = readOptions(USAGE, {
  options: {
    pages: { type: "string" },
    engines: { type: "string" },
    sizes: { type: "string" },
    scripted: { type: "boolean" },
  },
});

/** Returns the requested names in the order of the list, or all of them if none were requested. */
function choose<Name extends string>(asked: string | undefined, all: readonly Name[]): readonly Name[] {
  const chosen = asked?.split(",") ?? all;
  const unknown = chosen.find((name) => !all.some((each) => each === name));
  if (unknown !== undefined) refuse(`There is no ${unknown} here, but ${all.join(", ")}.`);
  return all.filter((name) => chosen.includes(name));
}

const sizes = choose(values.sizes, Object.keys(ALL_SIZES)).flatMap((width) => ALL_SIZES[width] ?? []);

async function main() {
  const pages = choose(values.pages, SHOWN_PAGES);
  const engines = choose(values.engines, ENGINE_NAMES);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  const pictures: Picture[] = [];
  for (const engine of engines) {
    if (!hasEngine(engine)) console.log(`${engine} is not here: see tests/install/engines.mjs`);
    else await visit(engine, pages, pictures);
  }
  console.log(`${FOLDER}/index.html shows all ${pictures.length}.`);
}

/** Visits all pages in one engine. Each engine gets a new server, so that nothing is left over or used up. */
async function visit(engine: EngineName, pages: readonly string[], pictures: Picture[]) {
  const app = await startApp();
  try {
    const people = await seedPeople(app);
    for (const javaScript of values.scripted ? [true] : [true, false]) {
      await withEngine(engine, { javaScript, still: true }, async (_, __, renew) => {
        const studio = { app, renew, engine, javaScript };
        for (const page of pages) {
          const before = pictures.length;
          for (const sight of listSights(app, people, page)) pictures.push(...(await takeSeries(studio, sight)));
          console.log(`${engine}, ${page}: ${pictures.length - before} pictures`);
          writeFileSync(join(FOLDER, "index.html"), writeAlbum(pictures));
        }
      });
    }
  } finally {
    await app.close();
  }
}

type Studio = Pick<Picture, "engine" | "javaScript"> & { app: RunningApp; renew: () => Promise<EngineTab> };
type People = Record<Person, SeededMember | null>;

/**
 * Lists the sights of a page. A member created for a state is created for each picture series, so that nothing is left
 * over.
 */
function listSights(app: RunningApp, people: People, page: string): Sight[] {
  const states = STATES.filter((state) => state.page === page).map((state): Sight => {
    const { person } = state;
    if (typeof person === "string") return { page, person, findMember: async () => people[person], state };
    return { page, person: "Another member", findMember: () => app.seed.member(person), state };
  });
  return [...PEOPLE.map((person): Sight => ({ page, person, findMember: async () => people[person] })), ...states];
}

/** Takes pictures of one sight in both themes and all sizes. Returns none if the page is not for this person. */
async function takeSeries(studio: Studio, sight: Sight): Promise<Picture[]> {
  if (sight.state?.scripted && !studio.javaScript) return [];
  const series: Picture[] = [];
  try {
    for (const theme of THEMES) series.push(...(await takeSizes(studio, sight, theme)));
  } catch (error) {
    // One broken state should not prevent the others from being shown.
    console.error(error);
    process.exitCode = 1;
  }
  return series;
}

/** Opens the sight once, because the window can be resized. */
async function takeSizes({ app, renew, ...how }: Studio, sight: Sight, theme: Theme): Promise<Picture[]> {
  const { findMember, page, person, state } = sight;
  const shownSizes = state?.sizes ?? sizes;
  const scene = { page, person, state: state?.name, theme, ...how };
  const tab = await openTab(await renew(), app.url, { member: await findMember(), ...scene });
  const pictures: Picture[] = [];
  try {
    if (shownSizes[0]) await tab.resize(shownSizes[0]);
    const shownAt = await tab.goto(state?.address ?? page);
    // Signed-in members are redirected from the sign-in pages, and visitors from members' pages.
    if (!state && shownAt !== page) return [];
    await state?.show?.(tab);
    for (const size of shownSizes) {
      const file = nameFile({ ...scene, size });
      await tab.resize(size);
      await tab.shot(join(FOLDER, file), { whole: !state?.show });
      pictures.push({ ...scene, size, file });
    }
    return pictures;
  } catch (error) {
    const file = nameFile(scene);
    await tab.shot(join(FOLDER, file), { whole: false }).catch(() => {});
    throw new Error(`This state does not come about: see ${join(FOLDER, file)}`, { cause: error });
  }
}

type Named = Omit<Picture, "file" | "size"> & { size?: Size };

function nameFile({ engine, javaScript, page, person, size, state = "page", theme }: Named): string {
  const words = [page.slice(1), person, state, theme, javaScript ? "scripted" : "plain", size?.width ?? "", engine];
  return `${words
    .join(" ")
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")}.png`;
}

await main();
