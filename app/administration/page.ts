import type { ReactNode } from "react";
import type * as z from "zod";
import type { SubmissionResult } from "@conform-to/dom";
import { Reason } from "../../server/administration/contract.ts";
import { CONFIRMED, REASON } from "./reason.ts";
import type { ApiClient } from "../client/client.ts";
import type { IconName } from "../ui/icon.tsx";
import type { AdminWord } from "./notes.ts";

/** What a page of the administration gets from a request. */
export type AdminCall = {
  api: ApiClient["administration"];
  /** The parameters of its path. */
  params: Record<string, string>;
  query: URLSearchParams;
};

/** The result of a form: the note to show on the next page, which is the same page unless `to` leads elsewhere. */
type Done = { note: AdminWord; about?: string; to?: string } | Answer;

/**
 * Content that a form shows immediately, for more than a note can say, and the values of its fields then. There is no
 * redirect: reloading the page sends the form again.
 */
type Answer = { content: unknown; values: Record<string, string> };

/** A form of the administration. It always asks for a reason, which is kept in the audit log. */
export type AdminForm<Fields extends object = object> = {
  /** Identifies the form within its page. */
  intent: string;
  schema: z.ZodType<Fields & { reason: string }>;
  /** The label of the box to tick, if the action cannot be undone. */
  confirm: string | undefined;
  /** Whether the form sends files. */
  files: boolean;
  send: (input: Fields & { reason: string }, call: AdminCall) => Promise<Done>;
};

type FormDefinition<Shape extends z.ZodObject> = {
  intent: string;
  /** Its own fields. The reason is added to them. No field may be called "member" (session/member-field.ts). */
  schema: Shape;
  confirm?: string;
  files?: boolean;
  send: (input: z.output<Shape> & { reason: string }, call: AdminCall) => Promise<Done>;
};

export function defineForm<Shape extends z.ZodObject>({
  intent,
  schema,
  confirm,
  files = false,
  send,
}: FormDefinition<Shape>) {
  const whole = schema.extend({ [REASON]: Reason, ...(confirm && CONFIRMED) });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod cannot infer a shape that extends a generic one
  return {
    intent,
    schema: whole,
    confirm,
    files,
    send,
  } as unknown as AdminForm<z.output<Shape>>;
}

/** A form that comes back: with its errors, or with what was typed when the session ended. */
export type Returned = {
  intent: string;
  /** Which of the forms with this intent. */
  about: string;
  result: SubmissionResult;
  /** What the form shows once it is done. */
  content?: unknown;
  /**
   * Whether the form keeps saying which state its page showed, so that it neither replaces something unseen nor does
   * anything twice.
   */
  asSeen?: boolean;
  retryAt?: string | undefined;
};

/** What the parts of a page get besides its data. */
export type Shown = {
  /**
   * The administrator whose page it is. Forms send the id, so that nothing is done as a member who has signed in since.
   */
  administrator: { id: string; email: string };
  url: { pathname: string; search: string };
  returned?: Returned | undefined;
};

/** A page of the administration. Only the server has its code: its HTML comes without scripts. */
export type AdminPage<Data = unknown> = {
  /** The path below /admin, such as `members/:id`. Empty for the overview. */
  path: string;
  title: string;
  /** Its link in the navigation, if it has one. */
  navigation?: { label: string; icon: IconName };
  /** The page in the navigation that it belongs to, if it has no link there itself. */
  within?: string;
  /**
   * Loads the page's data. Rejects with the API's error. After a 404, the administration says that the page does not
   * exist.
   */
  load: (call: AdminCall) => Promise<Data>;
  // oxlint-disable-next-line typescript/no-explicit-any -- each has fields of its own
  forms?: readonly AdminForm<any>[];
  Page: (props: { data: Data; shown: Shown }) => ReactNode;
};

// oxlint-disable-next-line typescript/no-explicit-any -- `load` and `Page` agree where the page is defined
export const definePage = <Data>(page: AdminPage<Data>): AdminPage<any> => page;
