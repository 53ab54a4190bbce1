import type { EngineName } from "../support/engines/engines.ts";
import type { Size } from "../support/engines/tab.ts";
import type { Theme } from "./open-tab.ts";

/** A page or state as one person has seen it. */
type Scene = { page: string; person: string; state: string | undefined };

/** How a scene is shown: the reader of the album chooses one of each. */
type Variant = { theme: Theme; size: Size; javaScript: boolean };

/** A screenshot of a scene in one engine, in a file next to the album. */
export type Picture = Scene & Variant & { engine: EngineName; file: string };

const STYLE = `
  :root { color-scheme: light dark; font: 0.875rem/1.5 system-ui, sans-serif; }
  body { display: grid; grid-template-columns: 16rem 1fr; gap: 2rem; margin: 1.5rem; }
  nav { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto; }
  nav ul { margin: 0; padding-left: 1rem; }
  form { position: sticky; top: 0; z-index: 1; display: flex; gap: 1.5rem; padding: 0.5rem 0; background: Canvas; }
  fieldset { border: 0; margin: 0; padding: 0; }
  main:has(section:target) section:not(:target), main:has(article:target) section:not(:has(:target)),
  main:has(article:target) article:not(:target) { display: none; }
  h1, h2, h3 { margin: 0 0 0.5rem; }
  section { margin-bottom: 3rem; }
  article { margin-bottom: 1.5rem; }
  div { display: flex; gap: 0.75rem; align-items: start; }
  figure { margin: 0; flex: 1 0 12rem; }
  img { width: 100%; border: 1px solid #8888; }
`;

/** The choices, by name, and the option that a picture belongs to. */
const CHOICES: Record<string, (variant: Variant) => string> = {
  Theme: ({ theme }) => theme,
  Size: ({ size }) => `${size.width} × ${size.height}`,
  JavaScript: ({ javaScript }) => (javaScript ? "with JavaScript" : "without JavaScript"),
};

/** Returns a document that shows the pictures of all engines next to each other, in the chosen theme and size. */
export function writeAlbum(pictures: readonly Picture[]): string {
  const pages = Map.groupBy(pictures, ({ page }) => page);
  const choices = listChoices(pictures);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Gallery</title>
<style>${STYLE}${choices.map(({ id }) => `body:has(#${id}:not(:checked)) [data-look~=${id}] { display: none; }`).join("\n")}</style>
<body>
<nav aria-label="Pages and states">
<p><a href="#">All ${pictures.length} pictures</a></p>
${[...pages].map(([page, shown]) => writeLinks(page, shown)).join("\n")}
</nav>
<main>
<h1>Gallery</h1>
<form>${Object.keys(CHOICES)
    .map((name) => writeChoice(name, choices))
    .join("\n")}</form>
${[...pages].map(([page, shown]) => writePage(page, shown)).join("\n")}
</main>
</body>
</html>
`;
}

const nameScene = ({ person, state }: Scene) => (state ? `${person}: ${state}` : person);
const toId = (...words: string[]) =>
  words
    .join(" ")
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-");
const pageId = (page: string) => toId("page", page);
const sceneId = (scene: Scene) => toId("scene", scene.page, nameScene(scene));
const variantId = (text: string) => toId("look", text);
const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

type Choice = { name: string; text: string; id: string };

function listChoices(pictures: readonly Picture[]): Choice[] {
  return Object.entries(CHOICES).flatMap(([name, describe]) =>
    [...new Set(pictures.map(describe))].map((text) => ({ name, text, id: variantId(text) })),
  );
}

function writeChoice(name: string, choices: readonly Choice[]): string {
  const offered = choices.filter((choice) => choice.name === name);
  const inputs = offered.map(
    ({ id, text }, index) =>
      `<label><input type="radio" name="${name}" id="${id}"${index === 0 ? " checked" : ""}> ${text}</label>`,
  );
  return `<fieldset aria-label="${name}">${inputs.join(" ")}</fieldset>`;
}

function writeLinks(page: string, pictures: Picture[]): string {
  const links = [...Map.groupBy(pictures, sceneId)].map(
    ([id, [first]]) => first && `<li><a href="#${id}">${escape(nameScene(first))}</a></li>`,
  );
  return `<details open><summary><a href="#${pageId(page)}">${page}</a></summary><ul>${links.join("")}</ul></details>`;
}

function writePage(page: string, pictures: Picture[]): string {
  const scenes = [...Map.groupBy(pictures, sceneId).values()];
  return `<section id="${pageId(page)}"><h2>${page}</h2>\n${scenes.map(writeScene).join("\n")}\n</section>`;
}

/** Writes a row of engines for each way to show the scene. */
function writeScene(pictures: Picture[]): string {
  const [first] = pictures;
  if (!first) return "";
  const rows = [...Map.groupBy(pictures, listVariants)].map(
    ([variants, shown]) => `<div data-look="${variants}">${shown.map(writePicture).join("\n")}</div>`,
  );
  return `<article id="${sceneId(first)}"><h3>${escape(nameScene(first))}</h3>\n${rows.join("\n")}\n</article>`;
}

const listVariants = (variant: Variant) =>
  Object.values(CHOICES)
    .map((describe) => variantId(describe(variant)))
    .join(" ");

function writePicture(picture: Picture): string {
  const { engine, file } = picture;
  const variants = Object.values(CHOICES).map((describe) => describe(picture));
  const alt = escape([picture.page, nameScene(picture), engine, ...variants].join(", "));
  return `<figure><a href="${file}"><img src="${file}" alt="${alt}" loading="lazy"></a><figcaption>${engine}</figcaption></figure>`;
}
