import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { answerWith, serveLocally } from "./serve-locally.ts";

type Verdict = { success: boolean; "error-codes"?: string[] };

/**
 * Starts a stand-in for Cloudflare's siteverify. It knows one secret, accepts each token that begins with `human` once,
 * and refuses others with the documented error codes.
 */
export async function startTurnstile(secretKey: string) {
  const asked: Record<string, string>[] = [];
  const spent = new Set<string>();
  let broken: { status: number; body: string; location?: string } | undefined;

  function judge({ secret = "", response = "" }: Record<string, string>): Verdict {
    if (secret !== secretKey) return { success: false, "error-codes": ["invalid-input-secret"] };
    if (!response.startsWith("human")) return { success: false, "error-codes": ["invalid-input-response"] };
    if (spent.has(response)) return { success: false, "error-codes": ["timeout-or-duplicate"] };
    spent.add(response);
    return { success: true };
  }

  const server = createServer(
    answerWith(async (request, response) => {
      const body = await text(request);
      if (broken) return response.writeHead(broken.status, { Location: broken.location ?? "" }).end(broken.body);
      const fields = Object.fromEntries(new URLSearchParams(body));
      asked.push(fields);
      return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(judge(fields)));
    }),
  );
  const { url, close } = await serveLocally(server);

  return {
    verifyUrl: `${url}/turnstile/v0/siteverify`,
    asked,
    /** Answers every request this way from now on; without an argument, as usual again. */
    breakDown(answer?: typeof broken) {
      broken = answer;
    },
    close,
  };
}
