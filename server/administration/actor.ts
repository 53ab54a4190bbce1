import type { Caller } from "../http/endpoint.ts";
import type { Doer } from "./contract.ts";

/** In whose name something is changed: an administrator, whoever operates the server, or a message from outside. */
export type Actor =
  | { kind: "administrator"; userId: string; /** In which their password was given. */ sessionId: string | undefined }
  | { kind: "operator" }
  | { kind: "webhook" };

/** Who changes something, and why. */
export type Act = { actor: Actor; reason: string };

export const OPERATOR: Actor = { kind: "operator" };

export const asAdministrator = ({ userId, sessionId }: Caller): Actor => ({ kind: "administrator", userId, sessionId });

/** The administrator in whose name something is changed; null for anybody else. */
export const administratorIdOf = (actor: Actor) => (actor.kind === "administrator" ? actor.userId : null);

/** Who did what an administrator's id was stored with: without one it was the operator. */
export const describeDoer = (administratorId: string | null, email: string | null): Doer => ({
  kind: administratorId === null ? "operator" : "administrator",
  id: administratorId,
  email,
});

/** In the name of the administrator who calls, for the reason that they give. */
export const by = (caller: Caller, reason: string): Act => ({ actor: asAdministrator(caller), reason });
