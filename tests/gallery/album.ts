import type { Size, Theme } from "./open-tab.ts";

/** One page or state, as one person has seen it. */
export type Scene = { page: string; person: string; state: string | undefined };

/** A picture of a scene, in a file beside the album. */
export type Picture = Scene & { theme: Theme; size: Size; javaScript: boolean; file: string };

const STYLE = `
  :root { color-scheme: light dark; font: 0.875rem/1.5 system-ui, sans-serif; }
  body { display: grid; grid-template-columns: 16rem 1fr; gap: 2rem; margin: 1.5rem; }
  nav { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto; }
  nav ul { margin: 0; padding-left: 1rem; }
  main:has(section:target) section:not(:target), main:has(article:target) section:not(:has(:target)),
  main:has(article:target) article:not(:target) { display: none; }
  h1, h2, h3 { margin: 0 0 0.5rem; }
  section { margin-bottom: 3rem; }
  article { margin-bottom: 1.5rem; }
  div { display: flex; gap: 0.75rem; overflow-x: auto; align-items: start; margin-bottom: 0.75rem; }
  figure { margin: 0; flex: 1 0 12rem; }
  img { width: 100%; max-height: 24rem; object-fit: cover; object-position: top; border: 1px solid #8888; }
`;

/** A document that shows all pictures, and by its links those of one page or state alone. */
export function writeAlbum(pictures: readonly Picture[]): string {
  const pages = Map.groupBy(pictures, ({ page }) => page);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Gallery</title>
<style>${STYLE}</style>
<body>
<nav aria-label="Pages and states">
<p><a href="#">All ${pictures.length} pictures</a></p>
${[...pages].map(([page, shown]) => writeLinks(page, shown)).join("\n")}
</nav>
<main>
<h1>Gallery</h1>
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
const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

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

/** A row with JavaScript and a row without: in each the sizes beside one another, first in one theme, then in the other. */
function writeScene(pictures: Picture[]): string {
  const [first] = pictures;
  if (!first) return "";
  const rows = [...Map.groupBy(pictures, ({ javaScript }) => javaScript)].map(
    ([javaScript, shown]) =>
      `<p>${javaScript ? "With" : "Without"} JavaScript</p>\n<div>${shown.map(writePicture).join("\n")}</div>`,
  );
  return `<article id="${sceneId(first)}"><h3>${escape(nameScene(first))}</h3>\n${rows.join("\n")}\n</article>`;
}

function writePicture(picture: Picture): string {
  const { file, size, theme } = picture;
  const caption = `${theme}, ${size.width} × ${size.height}`;
  const alt = escape(`${picture.page}, ${nameScene(picture)}, ${caption}`);
  return `<figure><a href="${file}"><img src="${file}" alt="${alt}" loading="lazy"></a><figcaption>${caption}</figcaption></figure>`;
}
