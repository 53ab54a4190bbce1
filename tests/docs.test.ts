import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const documents = globSync(["*.md", "docs/**/*.md"], { cwd: root });

test("every link from a document to a file leads to an existing one", () => {
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

test("every file that a document names exists", () => {
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

test("every npm script is in the README or the contributor's guide, and no guide names an unknown one", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const told = ["README.md", "CONTRIBUTING.md"].map(read).join("\n");
  // npm runs that one automatically.
  const commands = Object.keys(scripts).filter((name) => name !== "postinstall");
  expect(commands.filter((name) => !new RegExp(`npm (?:run )?${name}(?![\\w:-])`).test(told))).toEqual([]);

  const guides = globSync(["*.md", "docs/*.md", "node/*.md"], { cwd: root }).map(read).join("\n");
  const named = Array.from(guides.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g), ([, name = ""]) => name);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test("the operator's guide names each analytics event", () => {
  const [, events = ""] = /type Events = \{\n([^]*?)\n\};/.exec(read("app/analytics/events.ts")) ?? [];
  const [, told = ""] = /^## Measuring\n([^]*?)^## /m.exec(read("docs/operations.md")) ?? [];
  const names = Array.from(events.matchAll(/^ {2}(\w+):/gm), ([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
});

/** The folders in each top-level folder, from the bottom up. */
type Floors = Record<string, string[]>;

test("the contributor's guide lists the folders in the order that the linter enforces", () => {
  const [, layout = ""] = read("CONTRIBUTING.md").split("```");
  const { rules } = JSON.parse(read(".oxlintrc.json")) as { rules: { "floors/downwards": [string, Floors] } };
  for (const [top, floors] of Object.entries(rules["floors/downwards"][1])) {
    const [, part = ""] = new RegExp(`^${top}/.*\\n((?: .*\\n|\\n)+)`, "m").exec(layout) ?? [];
    const drawn = part.split("\n").flatMap((line) => {
      const places = Array.from(line.matchAll(/(?<= )([\w-]+)\/(?= )/g), ([, name = ""]) => floors.indexOf(name));
      return places.length > 0 ? [places] : [];
    });
    expect(drawn.length).toBeGreaterThan(5);
    const above = drawn.filter((places, line) => Math.max(...places) >= Math.min(...(drawn[line - 1] ?? [Infinity])));
    expect(above).toEqual([]);
    expect(Math.min(...drawn.flat())).toBeGreaterThan(-1);
  }
});

test("the README names the browsers that scripts and styles are built for", () => {
  const { browserslist } = JSON.parse(read("package.json")) as { browserslist: string[] };
  const named = browserslist.map((each) => each.replace(/^./, (letter) => letter.toUpperCase()).replace(" >=", ""));
  expect(read("README.md")).toContain(`${named.join(", ")} or a newer version`);
});

test("every test that a standard's table quotes exists in the file beside it", () => {
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

test("a decision record changed by a later one says so at its top, as the index does", () => {
  const changed = Array.from(
    read("docs/decisions/README.md").matchAll(/\]\((\d{4}-.+\.md)\) — .*?(\d+)$/gm),
    ([, name = "", later]) => ({ name, later }),
  );
  const isTold = ({ name, later }: (typeof changed)[number]) => {
    const top = read(`docs/decisions/${name}`).split("\n").slice(0, 5).join("\n");
    return new RegExp(`\\b0*${later}\\b`).test(top);
  };
  expect(changed.length).toBeGreaterThan(5);
  expect(changed.filter((each) => !isTold(each))).toEqual([]);
});

/** The criteria of WCAG 2.2 on levels A and AA, numbered as in https://www.w3.org/TR/WCAG22/. */
const CRITERIA = [
  ["1.1", [1]],
  ["1.2", [1, 2, 3, 4, 5]],
  ["1.3", [1, 2, 3, 4, 5]],
  ["1.4", [1, 2, 3, 4, 5, 10, 11, 12, 13]],
  ["2.1", [1, 2, 4]],
  ["2.2", [1, 2]],
  ["2.3", [1]],
  ["2.4", [1, 2, 3, 4, 5, 6, 7, 11]],
  ["2.5", [1, 2, 3, 4, 7, 8]],
  ["3.1", [1, 2]],
  ["3.2", [1, 2, 3, 4, 6]],
  ["3.3", [1, 2, 3, 4, 7, 8]],
  ["4.1", [2, 3]],
] as const;

test("the WCAG table has each criterion once, and names what shows each that applies", () => {
  const rows = Array.from(
    read("docs/standards/wcag.md").matchAll(/^\| (\d[\d.]+) +\|[^|]+\|([^|]+)\|([^|]+)\|$/gm),
    ([, number, how = "", shown = ""]) => ({ number, how, shown }),
  );
  expect(rows.map(({ number }) => number)).toEqual(
    CRITERIA.flatMap(([guideline, numbers]) => numbers.map((number) => `${guideline}.${number}`)),
  );
  const applying = rows.filter(({ how }) => !how.includes("oes not apply"));
  const parts = applying.flatMap(({ shown }) => shown.trim().split("; "));
  const visited = "`tests/e2e/visit.ts`";
  expect(parts.filter((each) => each !== visited && !/^axe$|^by hand$|^`[^`]+`: “.+”$/.test(each))).toEqual([]);
});

/** The requirements of ASVS 5.0.0 on levels 1 and 2, numbered as in its published list. */
const REQUIREMENTS = `
  1.1:1-2 1.2:1-9 1.3:1-11 1.4:1-3 1.5:1-2 2.1:1-3 2.2:1-3 2.3:1-4 2.4:1 3.2:1-2 3.3:1-4 3.4:1-6 3.5:1-5 3.7:1-2
  4.1:1-3 4.2:1 4.3:1-2 4.4:1-4 5.1:1 5.2:1-3 5.3:1-2 5.4:1-3 6.1:1-3 6.2:1-12 6.3:1-4 6.4:1-4 6.5:1-5 6.6:1-3
  6.8:1-4 7.1:1-3 7.2:1-4 7.3:1-2 7.4:1-5 7.5:1-2 7.6:1-2 8.1:1-2 8.2:1-3 8.3:1 8.4:1 9.1:1-3 9.2:1-4 10.1:1-2
  10.2:1-2 10.3:1-4 10.4:1-11 10.5:1-5 10.6:1-2 10.7:1-3 11.1:1-2 11.2:1-3 11.3:1-3 11.4:1-4 11.5:1 11.6:1
  12.1:1-3 12.2:1-2 12.3:1-4 13.1:1 13.2:1-5 13.3:1-2 13.4:1-5 14.1:1-2 14.2:1-4 14.3:1-3 15.1:1-3 15.2:1-3
  15.3:1-7 16.1:1 16.2:1-5 16.3:1-4 16.4:1-3 16.5:1-3 17.1:1 17.2:1-4 17.3:1-2
`
  .trim()
  .split(/\s+/)
  .flatMap((part) => {
    const [section, numbers = ""] = part.split(":");
    const [first = 0, last = first] = numbers.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`);
  });

/** Returns the requirements that a list names: one, several up to one, or everything in a chapter or section. */
function listNamed(names: string): string[] {
  const [from, to] = names.split(" to ").map((name) => REQUIREMENTS.indexOf(name));
  if (from !== undefined && to !== undefined) return REQUIREMENTS.slice(from, to + 1);
  return names.split(", ").flatMap((name) => REQUIREMENTS.filter((each) => `${each}.`.startsWith(`${name}.`)));
}

/** What shows that a row is met: a file with test names, which are looked up above, or a note that there is no test. */
const SHOWN = /^\[[^\]]+\]\([^)]+\): “.+”$|^Looked at by hand: |^The operator’s$|^Not shown$/;

test("the ASVS table has each requirement once, names what shows it, and lists the open ones", () => {
  const text = read("docs/standards/asvs.md");
  const part = (heading: string) => text.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = Array.from(
    text.matchAll(/^\| (\d+\.\d+\.\d+) \(level [12]\): [^|]+\|([^|]+)\|([^|]+)\|$/gm),
    ([, number = "", how = "", shown = ""]) => ({ number, how, shown }),
  );
  const outside = Array.from(part("What does not apply").matchAll(/^- ([\d., to]+\d)\b/gm), ([, names = ""]) => names);
  const left = outside.flatMap(listNamed);
  const numbers = [...rows.map(({ number }) => number), ...left];
  expect(numbers.sort()).toEqual(REQUIREMENTS.toSorted());
  expect(text).toContain(
    `Of its ${REQUIREMENTS.length} requirements of these levels ${rows.length} apply here and ${left.length} do not.`,
  );

  const open = rows.filter(({ how, shown }) => /\*\*(?:Gap|Not shown)/.test(how) || shown.includes("The operator’s"));
  expect(open.filter(({ number }) => !part("What is open").includes(number))).toEqual([]);
  const parts = rows.flatMap(({ shown }) => shown.trim().split("<br>"));
  expect(parts.filter((each) => !SHOWN.test(each))).toEqual([]);
});
