import type { Read } from "../cache/read.ts";
import type { IconName } from "../ui/icon.tsx";
import type { PageRead } from "./page-reads.ts";

type Common = {
  /** Its route pattern from the root, as in `app/routes.ts`. */
  path: string;
  /** Shown in the header and, before the brand, in the title of the document. */
  title: string;
  /** How the sidebar and the command menu lead to it, if they do. */
  navigation?: {
    icon: IconName;
    /** Its label there, if it is not the title. */
    label?: string;
    /** Other words to search for it by. */
    words: string;
  };
  /** Its cards, shown if it takes long to load: rows of one or two columns of heights. */
  outline?: string[][][];
  /** Whether its table of contents stands beside the cards. */
  hasContents?: true;
};

/** Returns the reads of a page at an address, in addition to those of the shell around it. */
export type ListReads = (read: Read, params: URLSearchParams) => readonly PageRead[];

/**
 * What a page says about itself, even while another page is open: the frame knows pages by the list of these
 * (`app/pages.ts`). The page's loader and the preload on intent use the same reads.
 */
export type PageDescription = Common &
  (
    | { audience: "anyone" }
    /** Onboarded members. Others are led to sign-in, or find the link to it disabled. */
    | { audience: "member"; reads: ListReads }
  );
