import { useRouteLoaderData } from "react-router";
import { brand } from "../../brand.ts";

/** Returns whether this server runs without configuration, on made-up data. */
const useDemo = () => useRouteLoaderData<{ demo?: boolean }>("root")?.demo ?? false;

/** Says beside the sign-in form of a demo who can sign in. */
export function DemoNote() {
  if (!useDemo()) return null;
  return (
    <p className="border-t border-line pt-4 text-center text-small text-ink-2">
      This is a demo with made-up data. Sign in as{" "}
      <span className="num whitespace-nowrap text-ink">{brand.demo.email}</span> with the password that the server
      printed when it started.
    </p>
  );
}

/** Marks the shell of a demo, so that nobody takes its numbers for real. */
export function DemoTag() {
  if (!useDemo()) return null;
  return <span title="Everything here is made up."> · Demo</span>;
}
