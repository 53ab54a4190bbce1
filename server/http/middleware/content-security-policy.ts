import { IPFS_GATEWAYS } from "../../content/contract.ts";

type PolicyOptions = {
  publicUrl?: string;
  turnstileSiteKey?: string;
  /** Backends that may provide their own site key. */
  apiUrl?: string;
  authApiUrl?: string;
  gtmId?: string;
  /** Vite's client adds style elements and a web socket. Never set in a build. */
  development?: boolean;
};

/** For everything that is not a page: it may load nothing, whatever it contains. */
export const STRICT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The gateways for content with an ipfs address. Pictures come only from them and from this server. */
const PICTURES = IPFS_GATEWAYS.flatMap((gateway) => Object.values(gateway)).join(" ");

/** Makes the policy of pages: own files, inline scripts by nonce, and only the services that are configured. */
export function createPagePolicy(options: PolicyOptions): (nonce: string) => string {
  const { publicUrl, turnstileSiteKey, apiUrl, authApiUrl, gtmId, development } = options;
  // Also for pages without a form: the policy of the first page applies while the browser navigates to others.
  const turnstile = (turnstileSiteKey ?? authApiUrl ?? apiUrl) && "https://challenges.cloudflare.com";
  const tagManager = gtmId && "https://www.googletagmanager.com";
  const analytics =
    gtmId && "https://*.google-analytics.com https://*.analytics.google.com https://*.googletagmanager.com";

  const before = directive("default-src 'self'; script-src 'self'", turnstile, tagManager);
  const after = [
    directive("style-src 'self'", development && "'unsafe-inline'"),
    directive("img-src 'self' data:", PICTURES, analytics),
    "font-src 'self'",
    directive("connect-src 'self'", development && "ws:", analytics),
    directive("frame-src", turnstile, tagManager, !turnstile && !tagManager && "'none'"),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(publicUrl?.startsWith("https:") ? ["upgrade-insecure-requests"] : []),
  ].join("; ");

  return (nonce) => `${before} 'nonce-${nonce}'; ${after}`;
}

const directive = (...parts: (string | false | undefined)[]) => parts.filter(Boolean).join(" ");
