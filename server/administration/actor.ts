import type { Caller } from "../http/endpoint.ts";
import type { Doer } from "./contract.ts";

/** In whose name something is changed: an administrator, the operator of the server, or a message from outside. */
export type Actor =
  | { kind: "administrator"; userId: string; /** Where they gave their password. */ sessionId: string | undefined }
  | { kind: "operator" }
  | { kind: "webhook" };

/** Who changes something, and why. */
export type Act = { actor: Actor; reason: string };

export const OPERATOR: Actor = { kind: "operator" };

export const asAdministrator = ({ userId, sessionId }: Caller): Actor => ({ kind: "administrator", userId, sessionId });

/** Returns the id of the acting administrator, or null for any other actor. */
export const administratorIdOf = (actor: Actor) => (actor.kind === "administrator" ? actor.userId : null);

/** Describes who did something, from the administrator's id stored with it: without one, it was the operator. */
export const describeDoer = (administratorId: string | null, email: string | null): Doer => ({
  kind: administratorId === null ? "operator" : "administrator",
  id: administratorId,
  email,
});

/** Acts in the name of the calling administrator, for the reason that they give. */
export const by = (caller: Caller, reason: string): Act => ({ actor: asAdministrator(caller), reason });
