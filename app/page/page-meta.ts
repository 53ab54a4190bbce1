import type { MetaDescriptor } from "react-router";
import { brand } from "../../brand.ts";
import { describeProblem } from "./problem.ts";

/** Returns the title of a document, such as `Dashboard · Nodebeat`. */
export const documentTitle = (title: string): string => `${title} · ${brand.name}`;

/** Returns the title and description of a page's document. If the page has failed, the title says what went wrong. */
export const pageMeta =
  (page?: { title: string }) =>
  ({ error }: { error?: unknown }): MetaDescriptor[] => {
    const title = error ? describeProblem(error).title : page?.title;
    return [
      { title: title === undefined ? brand.name : documentTitle(title) },
      { name: "description", content: brand.description },
    ];
  };
