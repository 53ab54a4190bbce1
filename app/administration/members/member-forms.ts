import * as z from "zod";
import { EMAIL_FORM } from "../../../server/http/contract.ts";
import { ChangeAddressInput } from "../../../server/member-administration/contract.ts";
import { ApiError } from "../../api/api-error.ts";
import { formatNumber } from "../../ui/number/number.ts";
import { defineForm } from "../page.ts";

const NO_FIELDS = z.object({});
const ANOTHER_EMAIL = "The member has a different email now. Send the form again to use that one.";
const idOf = ({ id = "" }: Record<string, string>) => id;

export const blockForm = defineForm({
  intent: "block",
  schema: NO_FIELDS,
  async send({ reason }, { api, params }) {
    const { changed, ended } = await api.members.block(idOf(params), { reason });
    return changed ? { note: "member-blocked", about: formatNumber(ended) } : { note: "member-blocked-already" };
  },
});

export const unblockForm = defineForm({
  intent: "unblock",
  schema: NO_FIELDS,
  async send({ reason }, { api, params }) {
    const { changed } = await api.members.unblock(idOf(params), { reason });
    return { note: changed ? "member-unblocked" : "member-unblocked-already" };
  },
});

export const endSessionForm = defineForm({
  intent: "end-session",
  schema: z.object({ session: z.uuid() }),
  async send({ reason, session }, { api, params }) {
    await api.members.endSessions(idOf(params), { reason, sessionId: session });
    return { note: "sessions-ended", about: "1" };
  },
});

export const endSessionsForm = defineForm({
  intent: "end-sessions",
  schema: NO_FIELDS,
  async send({ reason }, { api, params }) {
    const { ended } = await api.members.endSessions(idOf(params), { reason });
    return { note: "sessions-ended", about: formatNumber(ended) };
  },
});

export const whitelistForm = defineForm({
  intent: "whitelist",
  schema: z.object({ email: z.email(EMAIL_FORM), listed: z.enum(["yes", "no"]) }),
  async send({ email, listed, reason }, { api }) {
    const isListed = listed === "yes";
    const { results } = await api.members.setWhitelisted({ emails: [email], whitelisted: isListed, reason });
    if (results.some(({ outcome }) => outcome === "unknown"))
      throw new ApiError(ANOTHER_EMAIL, "CONFLICT", 409, { fromServer: true });
    return { note: isListed ? "member-whitelisted" : "member-unlisted" };
  },
});

export const addressForm = defineForm({
  intent: "change-address",
  schema: ChangeAddressInput,
  confirm: "I know for sure that the new address belongs to this member.",
  async send({ email, reason }, { api, params }) {
    const { changed } = await api.members.changeAddress(idOf(params), { email, reason });
    return { note: changed ? "address-changed" : "address-same" };
  },
});
