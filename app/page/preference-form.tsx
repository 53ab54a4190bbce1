import type { FormEvent, ReactNode } from "react";
import { useLocation } from "react-router";

/** A token of ours. The address of a page that does not exist may come from a damaged link in an email. */
const TOKEN = /nb[a-z]_[\w-]{43,}/g;

type PreferenceFormProps = {
  /** The route that sets the preference without a script. */
  action: "/shell/theme" | "/shell/sidebar" | "/shell/first-steps" | "/shell/continue" | "/legal/privacy/skip";
  field?: { name: string; value: string };
  /** Sets the preference at once, in the browser. */
  onApply: () => void;
  className?: string;
  children: ReactNode;
};

/**
 * A form that changes how the shell looks. Without a script it posts and is redirected back; with one it sends nothing.
 */
export function PreferenceForm({ action, field, onApply, className, children }: PreferenceFormProps) {
  const { pathname, search } = useLocation();

  function apply(event: FormEvent) {
    event.preventDefault();
    onApply();
  }

  return (
    <form method="post" action={action} onSubmit={apply} className={className}>
      <input type="hidden" name="returnTo" value={`${pathname}${search}`.replaceAll(TOKEN, "")} />
      {field && <input type="hidden" name={field.name} value={field.value} />}
      {children}
    </form>
  );
}
