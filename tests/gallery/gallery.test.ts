import { expect, test } from "vitest";
import { SHOWN_PAGES } from "../support/pages/shown-pages.ts";
import { writeAlbum, type Picture } from "./album.ts";
import { STATES } from "./states.ts";

test("every state belongs to an existing page, and has a unique name there", () => {
  const names = STATES.map(({ page, person, name }) => `${page} ${JSON.stringify(person)} ${name}`);
  expect(STATES.filter(({ page }) => !SHOWN_PAGES.includes(page))).toEqual([]);
  expect(names).toEqual([...new Set(names)]);
});

test("every link of the album leads to a picture or a unique anchor", () => {
  const size = { width: 1280, height: 720 };
  const look = { engine: "Chromium", person: "Visitor", theme: "light", javaScript: true, size } as const;
  const pictures: Picture[] = [
    { ...look, page: "/auth", state: undefined, file: "1.png" },
    { ...look, page: "/auth", state: undefined, file: "2.png", engine: "WebKit" },
    { ...look, page: "/auth", state: undefined, file: "3.png", theme: "dark" },
    { ...look, page: "/auth", state: "Wrong password", file: "4.png" },
    { ...look, page: "/auth/signup", state: undefined, file: "5.png" },
  ];
  const html = writeAlbum(pictures);
  const links = Array.from(html.matchAll(/ href="([^"]+)"/g), ([, href]) => href);
  const places = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => `#${id}`);

  expect(places).toEqual([...new Set(places)]);
  const [choices, scenes] = [
    places.filter((id) => id.startsWith("#look")),
    places.filter((id) => !id.startsWith("#look")),
  ];
  expect(scenes).toHaveLength(5);
  expect(new Set(links)).toEqual(new Set(["#", ...scenes, ...pictures.map(({ file }) => file)]));
  expect(choices).toEqual(["#look-light", "#look-dark", "#look-1280-720", "#look-with-javascript"]);
  const rows = Array.from(html.matchAll(/<div data-look="([^"]+)">(.*?)<\/div>/gs), ([, looks = "", row = ""]) => [
    looks.split(" ")[0],
    Array.from(row.matchAll(/ src="([^"]+)"/g), ([, file]) => file),
  ]);
  expect(rows.slice(0, 2)).toEqual([
    ["look-light", ["1.png", "2.png"]],
    ["look-dark", ["3.png"]],
  ]);
});
