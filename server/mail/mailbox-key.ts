/**
 * The mailbox behind an address, as far as an address tells: without a tag (`ada+news@…`) and without dots, which
 * the big providers ignore, and under one name where a provider has two. Two accounts with the same one are looked
 * at, not refused: elsewhere they may be two people.
 */
export function mailboxKey(emailKey: string): string {
  const [local = "", domain = ""] = emailKey.split("@");
  return `${local.split("+")[0]?.replaceAll(".", "")}@${domain === "googlemail.com" ? "gmail.com" : domain}`;
}
