import * as z from "zod";
import { TokenInput } from "../../../server/auth/contract.ts";
import { originContext, type PageContext } from "../../page/context.ts";
import { createCredentialCookie } from "../../cookies/credential-cookie.ts";

/** How long the code in the email is valid, in seconds. */
const LIFETIME_SECONDS = 24 * 60 * 60;

const Waiting = z.object({ token: TokenInput.shape.token, member: z.string() });

/** Opens the cookie with the token that belongs to a mailed code. The code confirms an address for campaign emails. */
export const openCampaignCookie = (context: PageContext) =>
  createCredentialCookie({
    name: "nodebeat_campaign",
    maxAge: LIFETIME_SECONDS,
    publicUrl: context.get(originContext),
    schema: Waiting,
  });
