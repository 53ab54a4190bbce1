import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const documents = globSync(["*.md", "docs/**/*.md"], { cwd: root });

test("every link from one document to another file leads somewhere", () => {
  const dead = documents.flatMap((document) =>
    Array.from(read(document).matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g), ([, target = ""]) =>
      join(dirname(document), target),
    )
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${document}: ${target}`),
  );
  expect(documents.length).toBeGreaterThan(20);
  expect(dead).toEqual([]);
});

test("every file that a document names is there", () => {
  const named = documents.flatMap((document) =>
    Array.from(
      read(document).matchAll(/`((?:app|server|node|tests|docs)\/[\w./-]+\.(?:tsx?|mjs|md|css))`/g),
      ([, path = ""]) => ({
        document,
        path,
      }),
    ),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
});

test("the README names the browsers that scripts and styles are made for", () => {
  const { browserslist } = JSON.parse(read("package.json")) as { browserslist: string[] };
  const named = browserslist.map((each) => each.replace(/^./, (letter) => letter.toUpperCase()).replace(" >=", ""));
  expect(read("README.md")).toContain(`${named.join(", ")} or a newer version`);
});

test("every test that a table of a standard quotes is in the file beside it", () => {
  const tables = globSync("docs/standards/*.md", { cwd: root });
  const quoted = tables.flatMap((table) =>
    Array.from(
      read(table).matchAll(/(?:\[([^\]]+)\]\([^)]*\)|`([^`]+)`): ((?:“[^”]+”(?:, )?)+)/g),
      ([, link, code, names = ""]) => ({ table, path: link ?? code ?? "", names: names.slice(1, -1).split("”, “") }),
    ),
  );
  const missing = quoted.flatMap(({ table, path, names }) =>
    names
      .filter((name) => !existsSync(join(root, path)) || !read(path).includes(name))
      .map((name) => [table, path, name]),
  );
  expect(quoted.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});

test("the index of decisions names each record once, in order", () => {
  const records = readdirSync(join(root, "docs/decisions"))
    .filter((name) => /^\d{4}-/.test(name))
    .toSorted();
  const listed = Array.from(
    read("docs/decisions/README.md").matchAll(/^- \d+\. \[.+\]\((.+\.md)\)/gm),
    ([, name]) => name,
  );
  expect(listed).toEqual(records);
});
