import type { PageDescription } from "../page/page-description.ts";
import { PAGES } from "../pages.ts";

/** What sidebar and command menu lead to, in order. */
export const NAVIGATION = PAGES.flatMap(({ path, title, audience, navigation }) =>
  navigation ? [{ to: path, label: title, audience, ...navigation }] : [],
);

/** What the router makes of their paths each time it is asked. */
const PATTERNS = PAGES.map(({ path }) => new RegExp(`^${path.replace(/\/:\w+\?/, "(?:/[^/]*)?")}/*$`, "i"));

/** The page at a path; undefined where the shell is not around one. */
export const findPage = (pathname: string): PageDescription | undefined =>
  PAGES[PATTERNS.findIndex((pattern) => pattern.test(pathname))];
