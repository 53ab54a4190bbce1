const UNKNOWN =
  "comes from an authority that this machine does not know: name the authority's file in NODE_EXTRA_CA_CERTS, " +
  "or have the server send its whole chain";

/** What is wrong with a certificate and what to do about it, by the error codes of Node. */
const CERTIFICATE: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "is self-signed: if you trust it, name its file in NODE_EXTRA_CA_CERTS",
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN,
  CERT_HAS_EXPIRED: "has expired: tell the operator of the server, and check the clock of this machine",
  CERT_NOT_YET_VALID: "is not valid yet: check the clock of this machine",
  ERR_TLS_CERT_ALTNAME_INVALID: "is for another name: use the address that your profile shows",
};

/** Returns a sentence for the person who started the node about why nobody answered at this address. */
export function describeNoResponse(url: string, error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    const problem = "code" in each && typeof each.code === "string" ? CERTIFICATE[each.code] : undefined;
    if (problem) return `the certificate of ${url} ${problem}`;
  }
  const proxy = findUnusedProxy(url);
  // npm, which installed the node, needs only the proxy's variable.
  return proxy
    ? `no answer from ${url} without the proxy in ${proxy}: to use it, set NODE_USE_ENV_PROXY=1 (Node.js 22.21 or newer)`
    : `no answer from ${url}`;
}

/** Returns the name of the variable for this address's proxy, if Node ignores it. */
function findUnusedProxy(url: string): string | undefined {
  const { env } = process;
  if (env.NODE_USE_ENV_PROXY) return undefined;
  const name = url.startsWith("https:") ? "HTTPS_PROXY" : "HTTP_PROXY";
  return [name, name.toLowerCase()].find((each) => env[each]);
}
