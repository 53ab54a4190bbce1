import type { Caller } from "../http/endpoint.ts";

/** In whose name something is changed: an administrator, whoever operates the server, or a message from outside. */
export type Actor =
  | { kind: "administrator"; userId: string; /** In which their password was given. */ sessionId: string | undefined }
  | { kind: "operator" }
  | { kind: "webhook" };

/** Who changes something, and why. */
export type Act = { actor: Actor; reason: string };

export const OPERATOR: Actor = { kind: "operator" };

export const asAdministrator = ({ userId, sessionId }: Caller): Actor => ({ kind: "administrator", userId, sessionId });

/** In the name of the administrator who calls, for the reason that they give. */
export const by = (caller: Caller, reason: string): Act => ({ actor: asAdministrator(caller), reason });
