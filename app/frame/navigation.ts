import { matchPath } from "react-router";
import type { PageDescription } from "../page/page-description.ts";
import { PAGES } from "../pages.ts";

/** What sidebar and command menu lead to, in order. */
export const NAVIGATION = PAGES.flatMap(({ path, title, audience, navigation }) =>
  navigation ? [{ to: path, label: title, audience, ...navigation }] : [],
);

/** The page at a path; undefined where the shell is not around one. */
export const findPage = (pathname: string): PageDescription | undefined =>
  PAGES.find(({ path }) => matchPath(path, pathname));
