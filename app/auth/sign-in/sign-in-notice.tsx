import { FormNotice } from "../../forms/form-notice.tsx";
import type { SignInNotice as Notice } from "../../page/member-page.ts";

const TEXTS: Record<Notice, string> = {
  expired: "Your session has ended. Please sign in again.",
  onboarding: "Your account could not be set up. Please sign in again to retry.",
  password: "Your password is changed. Sign in with the new one.",
};

/** Below the title: why the reader is here, or why the form cannot be used yet. */
export function SignInNotice({ notice, unavailable }: { notice: string | null; unavailable: string | false }) {
  const text = unavailable || (isNotice(notice) && TEXTS[notice]);
  return <FormNotice>{text || null}</FormNotice>;
}

const isNotice = (value: string | null): value is Notice => value !== null && Object.hasOwn(TEXTS, value);
