import { asAdministrator, by, type Act } from "../administration/actor.ts";
import type { Deps } from "../deps.ts";
import { route, type Caller, type Route } from "../http/endpoint.ts";
import { blockMember, unblockMember } from "../sessions/blocking.ts";
import { endSessionOf, endSessionsOf } from "../sessions/operating.ts";
import { releaseAfter, type SessionProvider } from "../sessions/service.ts";
import { changeAddress } from "./address.ts";
import * as contract from "./contract.ts";
import { findMembers, readEntries, readMember } from "./service.ts";

export const memberAdministrationApi = (deps: Deps, provider: SessionProvider): Route[] => [
  route(contract.findMembers, ({ caller, query }) => findMembers(deps, asAdministrator(caller), query)),
  route(contract.readMember, async ({ caller, params }) => {
    const account = await readMember(deps, asAdministrator(caller), params);
    logView(deps, { caller, member: params.id });
    return account;
  }),
  route(contract.readEntries, async ({ caller, params: { id }, query }) => {
    const entries = await readEntries(deps, asAdministrator(caller), { ...query, id });
    logView(deps, { caller, member: id });
    return entries;
  }),
  route(contract.blockMember, ({ params: { id }, body: { reason }, caller }) =>
    released(provider, blockMember(deps, by(caller, reason), { member: id })),
  ),
  route(contract.unblockMember, async ({ params: { id }, body: { reason }, caller }) => {
    const { email, changed } = await unblockMember(deps, by(caller, reason), { member: id });
    return { email, changed, ended: 0 };
  }),
  route(contract.endSessions, ({ params: { id }, body: { reason, sessionId }, caller }) =>
    released(provider, end(deps, by(caller, reason), { member: id, sessionId })),
  ),
  route(contract.changeAddress, ({ params: { id }, body: { reason, email }, caller }) =>
    released(provider, changeAddress(deps, by(caller, reason), { id, email })),
  ),
];

/**
 * Logs that an administrator looked at a member. Uses the server's log, not the audit log: nothing was changed, there
 * is no reason to keep, and a write would fail while the database is read-only.
 */
function logView({ log }: Deps, { caller, member }: { caller: Caller; member: string }) {
  log.info({ administrator: caller.userId, member }, "an administrator looked at a member");
}

async function end(deps: Deps, act: Act, { member, sessionId }: { member: string; sessionId: string | undefined }) {
  if (sessionId === undefined) {
    const { email, ended } = await endSessionsOf(deps, act, { member });
    return { email, ended, changed: ended > 0 };
  }
  const { email } = await endSessionOf(deps, act, { member, id: sessionId });
  return { email, ended: 1, changed: true };
}

type Ended = { email: string; changed: boolean; ended: number };

async function released(provider: SessionProvider, ending: Promise<Ended>): Promise<Ended> {
  const { email, changed, ended } = await releaseAfter(provider, ending);
  return { email, changed, ended };
}
