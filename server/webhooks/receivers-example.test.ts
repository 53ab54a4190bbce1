import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { createWebhookSecret, readWebhookKey, signMessage } from "./signature.ts";

type Verify = (secrets: string[], headers: Record<string, string>, body: string, now?: number) => boolean;

const folder = await mkdtemp(join(tmpdir(), "nodebeat-example-"));
afterAll(() => rm(folder, { recursive: true }));

/** Loads the example of docs/webhooks.md, as a receiver would use it. */
async function readExample(): Promise<Verify> {
  const text = await readFile(fileURLToPath(new URL("../../docs/webhooks.md", import.meta.url)), "utf8");
  const [, code = ""] = /```js\n([^]*?)```/.exec(text) ?? [];
  const file = join(folder, "verify.mjs");
  await writeFile(file, code);
  const example: { verifyWebhook: Verify } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  return example.verifyWebhook;
}

test("the documentation's example receiver accepts our messages and rejects any other", async () => {
  const verify = await readExample();
  const now = new Date("2026-11-20T12:00:00Z");
  const [former, present, other] = [createWebhookSecret(), createWebhookSecret(), createWebhookSecret()];
  const keys = [present, former].map((secret) => readWebhookKey(secret) ?? Buffer.alloc(0));
  const body = '{"type":"member.verified"}';
  const headers = signMessage(keys, { id: "0192", text: body }, now);
  const at = now.getTime();
  expect([verify([former], headers, body, at), verify([other, present], headers, body, at)]).toEqual([true, true]);
  expect(verify([other], headers, body, at)).toBe(false);
  expect(verify([present], headers, `${body} `, at)).toBe(false);
  expect(verify([present], { ...headers, "webhook-id": "0193" }, body, at)).toBe(false);
  expect(verify([present], headers, body, at + 300_001)).toBe(false);
  expect(verify([present], { ...headers, "webhook-timestamp": "soon" }, body, at)).toBe(false);
  expect(verify([present], {}, body, at)).toBe(false);
});
