import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { answerWith, serveLocally } from "../servers/serve-locally.ts";

/**
 * A moment in a process: before the chain gets a call, or after it got the call and before the process gets the
 * response.
 */
export type Moment = { method: string; when: "before" | "after" };

/**
 * Starts a proxy to a node that calls `kill` once, at the given moment, and leaves that call without a response. The
 * chain makes a block before every request for a receipt, so that time passes there as the work goes on.
 */
export async function startKillingProxy(nodeUrl: string) {
  let due: Moment | undefined;
  let kill: (() => void) | undefined;
  const isDue = (method: string, when: Moment["when"]) => due?.method === method && due.when === when;

  async function ask(body: string): Promise<string> {
    const headers = { "Content-Type": "application/json" };
    return (await fetch(nodeUrl, { method: "POST", headers, body })).text();
  }

  const server = createServer(
    answerWith(async (request, response) => {
      const body = await text(request);
      const { method } = JSON.parse(body) as { method: string };
      if (isDue(method, "before")) return strike();
      if (method === "eth_getTransactionReceipt") await ask('{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[]}');
      const answer = await ask(body);
      if (isDue(method, "after")) return strike();
      response.setHeader("Content-Type", "application/json").end(answer);
    }),
  );
  const { url, close } = await serveLocally(server);

  function strike() {
    due = undefined;
    kill?.();
  }
  return {
    url,
    /** Sets what to do, once, at a moment. */
    killAt(moment: Moment, act: () => void) {
      due = moment;
      kill = act;
    },
    stop: close,
  };
}
