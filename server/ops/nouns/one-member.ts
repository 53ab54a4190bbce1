import * as z from "zod";
import { MemberName } from "../../administration/contract.ts";

/** What an operation is given that is about one member. */
export const oneMember = { usage: "<email or id>", words: ["member"], input: z.object({ member: MemberName }) };
