import * as z from "zod";
import { MemberName } from "../../administration/contract.ts";

/** The arguments of an operation on one member. */
export const oneMember = { usage: "<email or id>", words: ["member"], input: z.object({ member: MemberName }) };
