import { createServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { createAuthority, createCertificate, type Certified } from "../tests/support/servers/certificates.ts";
import { serveLocally } from "../tests/support/servers/serve-locally.ts";
import { issueBotCheck } from "../server/auth/contract.ts";
import { createCaller } from "./call.ts";

const authority = createAuthority("The authority of a test");
const host = "127.0.0.1";
const past = new Date("2020-01-01T00:00:00Z");
const future = new Date("2090-01-01T00:00:00Z");

/** Returns what a node gets from a server with this certificate, on a machine that trusts the test's authority. */
async function callServer(certified: Certified): Promise<unknown> {
  const known = getCACertificates("default");
  setDefaultCACertificates([authority.cert]);
  const server = createServer(certified, (_request, response) => response.end('{"turnstileToken":"t"}'));
  onTestFinished(() => setDefaultCACertificates(known));
  const { port, close } = await serveLocally(server);
  onTestFinished(close);
  const url = `https://${host}:${port}`;
  const call = createCaller({ url, signal: new AbortController().signal, timeout: 10_000 });
  return call(issueBotCheck).catch((error: unknown) => {
    return error instanceof Error ? error.message.replace(url, "URL") : error;
  });
}

test("accepts a valid certificate", async () => {
  expect(await callServer(createCertificate({ host, issuer: authority }))).toEqual({ turnstileToken: "t" });
});

test.each([
  ["that is self-signed", { host }, /^the certificate of URL is self-signed: .*NODE_EXTRA_CA_CERTS/],
  [
    "of an unknown authority",
    { host, issuer: createAuthority("Somebody") },
    /^the certificate of URL comes from an authority that this machine does not know: .*NODE_EXTRA_CA_CERTS/,
  ],
  ["that has expired", { host, issuer: authority, until: past, from: past }, /^the certificate of URL has expired: /],
  [
    "that is not valid yet",
    { host, issuer: authority, from: future, until: future },
    /^the certificate of URL is not valid yet/,
  ],
  [
    "for another name",
    { host: "nodebeat.example", issuer: authority },
    /^the certificate of URL is for another name: /,
  ],
])("explains what to do about a certificate %s", async (_, wanted, sentence) => {
  expect(await callServer(createCertificate(wanted))).toMatch(sentence);
});
