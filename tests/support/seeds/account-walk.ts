import { expect } from "vitest";
import { createRecordedVisitor, type RequestKind } from "../pages/recorded-visitor.ts";
import type { RunningApp } from "../servers/start-app.ts";

/** Matches the bot check's tokens, in a document or in its data. */
const BOT_CHECK = /[\w-]{22}\.[0-9a-z]{8,10}\.[\w-]{43}/;

/**
 * Invents a password, which no form, page or log may ever repeat. It contains the characters that are escaped in one
 * place or another.
 */
const inventPassword = (name: string) => `${name} "phrase" <ä&'+%> ${crypto.randomUUID()}`;

/**
 * Creates tools for walks through the pages: new visitors, and a record of every secret that they type or receive, with
 * its kind.
 */
export function createWalk(app: RunningApp, requestKind: RequestKind) {
  const visitors: ReturnType<typeof createRecordedVisitor>[] = [];
  const secrets = new Map<string, string>();
  const keep = (kind: string, secret = "") => {
    expect([kind, secret]).not.toEqual([kind, ""]);
    secrets.set(secret, kind);
    return secret;
  };

  function visit() {
    // A new address has its own rate limits.
    const address = `2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}:${visitors.length + 1}::1`;
    const visitor = createRecordedVisitor(app.url, { requestKind, address });
    visitors.push(visitor);
    /** Opens a page, and sends its form with the bot check. */
    async function sendChecked(path: string, fields: Record<string, string>) {
      const [turnstileToken] = BOT_CHECK.exec((await visitor.open(path)).body) ?? [];
      keep("bot check", turnstileToken);
      return visitor.send(path, { turnstileToken: turnstileToken ?? "", name__confirm: "", ...fields });
    }
    return { ...visitor, sendChecked };
  }

  return {
    app,
    keep,
    visit,
    inventPassword: (name: string) => keep(`password, ${name}`, inventPassword(name)),
    /** Returns the latest email to an address once there are `count`, and where its link leads. */
    async readMail(to: string, count: number) {
      const { code, link = app.url } = await app.seed.mail(to, count);
      const { pathname, search, searchParams } = new URL(link);
      const [token] = searchParams.values();
      return { code, token, path: pathname + search };
    },
    answers: () => visitors.flatMap(({ answers }) => answers),
    secrets: () => new Map([...visitors.flatMap((visitor) => Array.from(visitor.secrets)), ...secrets]),
  };
}

export type Walk = ReturnType<typeof createWalk>;
export type Walker = ReturnType<Walk["visit"]>;
