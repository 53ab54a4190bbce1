import { passOnSessionNews } from "../../session/session-news.ts";
import { MEMBER_FIELD } from "../../session/member-field.ts";
import type { SignPurpose } from "./sign-words.ts";
import type { SignatureOutcome } from "./submit-signature.ts";

type Signed = { member: string; address: string; message: string; signature: string };

/**
 * Sends the form with the signature that the wallet has filled in. Whoever is signed out by now leaves for the page
 * that says so. Rejects where no answer came.
 */
export async function sendSignature(purpose: SignPurpose, { member, ...signed }: Signed): Promise<SignatureOutcome> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...signed, [MEMBER_FIELD]: member })) form.set(name, value);
  // Not followed: what the page it leads to has to say is said once.
  const response = await fetch(`/wallet/${purpose}`, { method: "POST", body: form, redirect: "manual" });
  if (response.type === "opaqueredirect") {
    location.assign("/profile");
    return new Promise<never>(() => {});
  }
  const outcome: unknown = await response.json();
  passOnSessionNews();
  return isOutcome(outcome) ? outcome : { done: false, message: null };
}

const isOutcome = (value: unknown): value is SignatureOutcome =>
  typeof value === "object" && value !== null && "done" in value;
