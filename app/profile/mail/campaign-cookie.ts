import * as z from "zod";
import { TokenInput } from "../../../server/auth/contract.ts";
import { originContext, type PageContext } from "../../page/context.ts";
import { createCredentialCookie } from "../../cookies/credential-cookie.ts";

/** As long as the mailed code is good. */
const LIFETIME_SECONDS = 24 * 60 * 60;

const Waiting = z.object({ token: TokenInput.shape.token, member: z.string() });

/** The token that belongs to the code mailed to an address for campaign mail, until the code comes back. */
export const openCampaignCookie = (context: PageContext) =>
  createCredentialCookie({
    name: "nodebeat_campaign",
    maxAge: LIFETIME_SECONDS,
    publicUrl: context.get(originContext),
    schema: Waiting,
  });
