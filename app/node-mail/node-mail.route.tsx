import { data, Form } from "react-router";
import { toApiError, type ApiError } from "../api/api-error.ts";
import { apiContext } from "../page/context.ts";
import { logFailure } from "../page/log-failure.ts";
import { Button, ButtonLink } from "../ui/controls/button.tsx";
import { PlainPage } from "../page/plain-page.tsx";
import { pageMeta } from "../page/page-meta.ts";
import type { Route } from "./+types/node-mail.route";
import { nodeMailPage } from "./page.ts";

export const meta = pageMeta(nodeMailPage);

/**
 * The way out of the mails about a silent node, for whoever has one, signed in or not. Opening the page changes
 * nothing, because mail scanners open links; a POST to it does, also one of a mail program (RFC 8058).
 */
export function loader({ url }: Route.LoaderArgs) {
  return { code: url.searchParams.get("code") ?? "" };
}

export async function action({ context, url }: Route.ActionArgs) {
  try {
    await context.get(apiContext).node.unsubscribe(url.searchParams.get("code") ?? "");
    return { outcome: "off" as const };
  } catch (thrown) {
    const error = toApiError(thrown);
    if (isUnknown(error)) return data({ outcome: "unknown" as const }, { status: 404 });
    logFailure(context, thrown, "The mails about a silent node could not be turned off");
    return data({ outcome: "failed" as const }, { status: 503 });
  }
}

const isUnknown = ({ code }: ApiError) => code === "NOT_FOUND" || code === "VALIDATION_ERROR";

export default function NodeMailRoute({ loaderData: { code }, actionData }: Route.ComponentProps) {
  const outcome = code ? (actionData?.outcome ?? "asked") : "unknown";
  const { title, text } = WORDS[outcome];
  return (
    <PlainPage title={title} text={text}>
      {outcome === "asked" || outcome === "failed" ? (
        // A new document knows nothing of what was chosen before.
        <Form method="post" action={`/node-mail?code=${encodeURIComponent(code)}`} reloadDocument>
          <Button type="submit" variant="ink">
            Turn these mails off
          </Button>
        </Form>
      ) : (
        <ButtonLink to="/profile#devices">To your profile</ButtonLink>
      )}
    </PlainPage>
  );
}

const WORDS = {
  asked: {
    title: "No more mail about your node?",
    text: "You get a mail when your node has been silent for as long as you have chosen. Here you can turn that off.",
  },
  off: {
    title: "These mails are off",
    text: "You get no mail when your node is silent. You can turn it on again on your profile.",
  },
  unknown: {
    title: "This link is not whole",
    text: "Open it as it stands in the mail, or turn the mails off on your profile.",
  },
  failed: {
    title: "This does not work right now",
    text: "The mails could not be turned off. Please try again in a moment.",
  },
};
