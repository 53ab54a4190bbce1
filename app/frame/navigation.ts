import type { PageDescription } from "../page/page-description.ts";
import { PAGES } from "../pages.ts";

/** The pages that the sidebar and the command menu lead to, in order. */
export const NAVIGATION = PAGES.flatMap(({ path, title, audience, navigation }) =>
  navigation ? [{ to: path, label: title, audience, ...navigation }] : [],
);

/** The regular expressions that the router makes of their paths each time it is asked. */
const PATTERNS = PAGES.map(({ path }) => new RegExp(`^${path.replace(/\/:\w+\?/, "(?:/[^/]*)?")}/*$`, "i"));

/** Returns the page at a path, or undefined if the shell is not around one there. */
export const findPage = (pathname: string): PageDescription | undefined =>
  PAGES[PATTERNS.findIndex((pattern) => pattern.test(pathname))];
