import type { SignInNotice as Notice } from "./member-page.ts";

const TEXTS: Record<Notice, string> = {
  expired: "Your session has ended. Please sign in again.",
  onboarding: "Your account could not be set up. Please sign in again to retry.",
};

/** Above the form: why the reader is here, or why the form cannot be used yet. */
export function SignInNotice({ notice, unavailable }: { notice: string | null; unavailable: string | false }) {
  const text = unavailable || (isNotice(notice) && TEXTS[notice]);
  return (
    <output className="block rounded-control bg-sunken px-3 py-2.5 text-small text-ink-2 empty:hidden">
      {text || null}
    </output>
  );
}

const isNotice = (value: string | null): value is Notice => value !== null && Object.hasOwn(TEXTS, value);
