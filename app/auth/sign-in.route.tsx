import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirectDocument, type RouterContextProvider } from "react-router";
import { LoginInput } from "../../server/auth/contract.ts";
import { toApiError, type ApiError } from "../api/api-error.ts";
import { apiContext, logContext, sessionContext } from "../api/context.ts";
import { DemoNote } from "../shell/demo.tsx";
import { requestContext } from "../shell/request-context.ts";
import { returnPath } from "../shell/preferences.ts";
import type { Route } from "./+types/sign-in.route";
import { leftDecoyAlone } from "./decoy.ts";
import { HOME } from "./member-page.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { SignInNotice } from "./sign-in-notice.tsx";

const UNAVAILABLE = "Signing in does not work right now. Please try again in a moment.";
const NOT_A_PERSON = "The bot check did not pass. Please try again.";

type Context = Readonly<RouterContextProvider>;

export async function loader({ context, url }: Route.LoaderArgs) {
  const token = await issueToken(context);
  return data({ token, notice: url.searchParams.get("notice") }, { status: token ? 200 : 503 });
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData().catch(() => {
    throw data(null, { status: 400 });
  });
  const submission = parseWithZod(form, { schema: LoginInput });
  if (submission.status !== "success") {
    const noToken = submission.error?.turnstileToken && { formErrors: [NOT_A_PERSON] };
    return refuse(context, 400, submission.reply({ ...KEPT_BACK, ...noToken }));
  }
  if (!leftDecoyAlone(form))
    return refuse(context, 422, submission.reply({ ...KEPT_BACK, formErrors: [NOT_A_PERSON] }));

  try {
    const { access_token: accessToken, user } = await context.get(apiContext).auth.login(submission.value);
    if (!accessToken) throw new Error("The sign-in brought no access token");
    const cookie = await context.get(sessionContext).cookie.commit({ accessToken, userId: user.id });
    const destination = returnPath(url.searchParams.get("redirectTo"), url, HOME);
    return redirectDocument(destination, { status: 303, headers: { "Set-Cookie": cookie } });
  } catch (error) {
    const { status, ...messages } = explainFailure(toApiError(error));
    if (status === 503) context.get(logContext).error({ err: error }, "Sign-in is not available");
    return refuse(context, status, submission.reply({ ...KEPT_BACK, ...messages }));
  }
}

/** A password is never sent back, and a spent token is of no use to anyone. */
const KEPT_BACK = { hideFields: ["password", "turnstileToken"] };

/** Which field or form a failed sign-in is told beside, and the status of the page that tells it. */
function explainFailure({ code, fields, fromServer, message, status }: ApiError) {
  if (code === "NETWORK_ERROR" || code === "INVALID_API_KEY" || status >= 500)
    return { status: 503, formErrors: [UNAVAILABLE] };
  if (status === 401) return { status, fieldErrors: { password: [message] } };
  if (fields) return { status, fieldErrors: fields };
  return { status, formErrors: [fromServer ? message : UNAVAILABLE] };
}

/** The form's answer to a refused submission: with a fresh token, since loaders do not run again for it. */
async function refuse<Reply>(context: Context, status: number, result: Reply) {
  return data({ result, token: await issueToken(context) }, { status });
}

/** Null when there is none to be had: the page still shows, and says that signing in has to wait. */
async function issueToken(context: Context): Promise<string | null> {
  try {
    const { turnstileToken } = await context.get(apiContext).auth.issueBotCheck();
    context.get(requestContext).oneTime?.push(turnstileToken);
    return turnstileToken;
  } catch (error) {
    context.get(logContext).error({ err: error }, "No bot-check token for the sign-in form");
    return null;
  }
}

export default function SignInRoute({ loaderData, actionData }: Route.ComponentProps) {
  const token = actionData ? actionData.token : loaderData.token;
  return (
    <div className="grid gap-5">
      <SignInNotice notice={loaderData.notice} unavailable={token === null && !actionData && UNAVAILABLE} />
      <SignInForm lastResult={actionData?.result} token={token ?? ""} />
      <DemoNote />
    </div>
  );
}
