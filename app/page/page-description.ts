import type { Read } from "../cache/read.ts";
import type { IconName } from "../ui/icon.tsx";
import type { PageRead } from "./page-reads.ts";

type Common = {
  /** Its pattern, as in `app/routes.ts`, from the root. */
  path: string;
  /** In the header and, before the brand, in the title of the document. */
  title: string;
  /** How the sidebar and the command menu lead to it, where they do. */
  navigation?: {
    icon: IconName;
    /** Where it is not the title. */
    label?: string;
    /** What else it is searched by. */
    words: string;
  };
  /** Its cards, in case it is long on its way: rows of one or two columns of heights. */
  outline?: string[][][];
  /** Whether its contents stand beside them. */
  hasContents?: true;
};

/** What a page reads to show what its address asks for, beside what the shell around it does. */
export type ListReads = (read: Read, params: URLSearchParams) => readonly PageRead[];

/**
 * What a page says of itself, also to who is on another: the frame knows pages by the list of these (`app/pages.ts`).
 * The page's loader and the preload on intent read the same list.
 */
export type PageDescription = Common &
  (
    | { audience: "anyone" }
    /** Members who are onboarded: others are led to sign-in, or find the way to it closed. */
    | { audience: "member"; reads: ListReads }
  );
