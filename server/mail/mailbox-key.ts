/**
 * Returns the mailbox behind an address, as far as the address shows it: without a tag (`ada+news@…`), without dots,
 * which the big providers ignore, and with one domain for a provider that has two. Two accounts with the same mailbox
 * are screened, not refused: at other providers they may be two people.
 */
export function mailboxKey(emailKey: string): string {
  const [local = "", domain = ""] = emailKey.split("@");
  return `${local.split("+")[0]?.replaceAll(".", "")}@${domain === "googlemail.com" ? "gmail.com" : domain}`;
}
