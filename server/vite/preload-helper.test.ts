import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { preloadHelperPlugin } from "./preload-helper.ts";

type Link = { rel?: string; href?: string };

test("preloads each file of a part only once", async () => {
  const { transform } = preloadHelperPlugin();
  const { code } = (transform as { handler: (code: string) => { code: string } }).handler("");
  const head: Link[] = [{ href: "/assets/known.js" }];
  const document = {
    createElement: (): Link => ({}),
    head: { append: (link: Link) => head.push(link) },
    querySelector: (selector: string) => head.find(({ href }) => selector === `link[href="${href}"]`) ?? null,
  };
  const [, helper = ""] = /^export const __vitePreload = (.*);$/s.exec(code) ?? [];
  const preload = runInNewContext(`(${helper})`, { document }) as (load: unknown, files?: string[]) => Promise<string>;

  for (let times = 0; times < 2; times += 1)
    expect(await preload(async () => "loaded", ["assets/known.js", "assets/part.js"])).toBe("loaded");
  expect(await preload(async () => "alone")).toBe("alone");
  expect(head).toEqual([{ href: "/assets/known.js" }, { rel: "modulepreload", href: "/assets/part.js" }]);
});
