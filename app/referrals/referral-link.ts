/**
 * Returns the link that friends join with: the site's origin, and the member's personal code (product specification,
 * section 2). Returns null if there is no code.
 */
export function referralLink(origin: string, code: string): string;
export function referralLink(origin: string, code: string | null): string | null;
export function referralLink(origin: string, code: string | null): string | null {
  return code && `${origin}/auth/signup?${new URLSearchParams({ referralCode: code })}`;
}
