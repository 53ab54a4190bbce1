import type { ReactNode } from "react";
import type * as z from "zod";
import type { SubmissionResult } from "@conform-to/dom";
import { Reason } from "../../server/administration/contract.ts";
import { CONFIRMED, REASON } from "./reason.ts";
import type { ApiClient } from "../client/client.ts";
import type { IconName } from "../ui/icon.tsx";
import type { AdminWord } from "./notes.ts";

/** What a page of the administration is asked with. */
export type AdminCall = {
  api: ApiClient["administration"];
  /** Of its path. */
  params: Record<string, string>;
  query: URLSearchParams;
};

/**
 * What a form has done: what is said of it on the page that shows next, which is the same one unless `to` leads
 * elsewhere.
 */
type Done = { note: AdminWord; about?: string; to?: string } | Answer;

/**
 * What a form shows at once, with what stands in its fields then: for more than a sentence can say. Sent again it shows
 * it again.
 */
type Answer = { content: unknown; values: Record<string, string> };

/** A form of the administration: it always asks for a reason, which is kept in the audit log. */
export type AdminForm<Fields extends object = object> = {
  /** Tells the forms of a page apart. */
  intent: string;
  schema: z.ZodType<Fields & { reason: string }>;
  /** What has to be ticked, where it cannot be undone. */
  confirm: string | undefined;
  /** Whether files are sent with it. */
  files: boolean;
  send: (input: Fields & { reason: string }, call: AdminCall) => Promise<Done>;
};

type FormDefinition<Shape extends z.ZodObject> = {
  intent: string;
  /** Its own fields; that of the reason is there by itself. No field is called "member" (session/member-field.ts). */
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod cannot follow a shape that is extended by another's
  return {
    intent,
    schema: whole,
    confirm,
    files,
    send,
  } as unknown as AdminForm<z.output<Shape>>;
}

/** What a form has been refused for, or what had been typed into it when the session ended. */
export type Returned = {
  intent: string;
  /** Which of several forms with this intent. */
  about: string;
  result: SubmissionResult;
  /** What it has to show, once it is done. */
  content?: unknown;
  /** Whether it keeps saying which state its page had shown, so that nothing is replaced unseen, or done twice. */
  asSeen?: boolean;
  retryAt?: string | undefined;
};

/** What the parts of a page are told beside its data. */
export type Shown = {
  /** Whose page it is: forms carry it, so that nothing is done in the name of who has signed in meanwhile. */
  administrator: { id: string; email: string };
  url: { pathname: string; search: string };
  returned?: Returned | undefined;
};

/** A page of the administration. Only the server ever sees it: its HTML comes without scripts. */
export type AdminPage<Data = unknown> = {
  /** Below /admin, such as `members/:id`; empty for the first one. */
  path: string;
  title: string;
  /** How the navigation leads to it, where it does. */
  navigation?: { label: string; icon: IconName };
  /** Which page of the navigation it belongs to, where it is not in there itself. */
  within?: string;
  /** Rejects with what the API answers. On 404 the page says so itself. */
  load: (call: AdminCall) => Promise<Data>;
  // oxlint-disable-next-line typescript/no-explicit-any -- each has fields of its own
  forms?: readonly AdminForm<any>[];
  Page: (props: { data: Data; shown: Shown }) => ReactNode;
};

// oxlint-disable-next-line typescript/no-explicit-any -- of whatever data: `load` and `Page` agree where it is defined
export const definePage = <Data>(page: AdminPage<Data>): AdminPage<any> => page;
