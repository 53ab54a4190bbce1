import type { MetaDescriptor } from "react-router";
import { brand } from "../../brand.ts";
import { describeProblem } from "./problem.ts";

/** The title of a document, such as `Dashboard · Nodebeat`. */
export const documentTitle = (title: string): string => `${title} · ${brand.name}`;

/** The title and the description of a page's document; what went wrong is the title of one that shows that. */
export const pageMeta =
  (page?: { title: string }) =>
  ({ error }: { error?: unknown }): MetaDescriptor[] => {
    const title = error ? describeProblem(error).title : page?.title;
    return [
      { title: title === undefined ? brand.name : documentTitle(title) },
      { name: "description", content: brand.description },
    ];
  };
