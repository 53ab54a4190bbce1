import * as z from "zod";

/** Why something is changed: it is kept for good, and members find it in their own data. */
export const Reason = z.string("Say why.").trim().min(1, "Say why.").max(500, "Say why in 500 characters at most.");

/** How an administrator names a member: by the address they sign in with, or by their id. */
export const MemberName = z
  .string("Name a member by email address or id.")
  .trim()
  .pipe(z.union([z.email().max(254), z.uuid()], "Name a member by email address or id."));

/** Who did something: the operator at the server, a message from outside, or the administrator with this id. */
export const Doer = z.object({
  kind: z.enum(["administrator", "operator", "webhook"]),
  id: z.string().nullable(),
  /** Null also where the administrator has deleted their account. */
  email: z.string().nullable(),
});
export type Doer = z.infer<typeof Doer>;
