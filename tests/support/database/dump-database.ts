import { sql } from "drizzle-orm";
import type { Db } from "../../../server/db/client.ts";

/** Returns every row of every table as text, with bytes as hexadecimal. */
export async function dumpDatabase(db: Db): Promise<string> {
  const tables = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const rows = [];
  for (const { name } of tables.rows) {
    rows.push(...(await db.execute<{ row: string }>(sql`select t::text as row from ${sql.identifier(name)} t`)).rows);
  }
  return rows.map(({ row }) => row).join("\n");
}

/**
 * Returns the forms that a secret may take in a text: as is, escaped for JSON, HTML or a URL, or encoded, alone or in
 * the middle of something longer.
 */
export function listEncodings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const nested = JSON.stringify(inJson).slice(1, -1);
  const base64 = [secret, inJson].flatMap((text) => [0, 1, 2].map((offset) => inBase64(Buffer.from(text), offset)));
  return [
    ...new Set([
      secret,
      inJson,
      inScript(inJson),
      nested,
      inScript(nested),
      inScript(inJson.replaceAll(/[\\']/g, String.raw`\$&`)),
      secret.replaceAll(/[&<>"']/g, (sign) => HTML[sign] ?? sign),
      encodeURIComponent(secret),
      new URLSearchParams([["", secret]]).toString().slice(1),
      Buffer.from(secret).toString("hex"),
      ...base64,
      ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
    ]),
  ];
}

const HTML: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** Escapes JSON as in a page's script, where the loaders' data are JSON within JSON, or in single quotes. */
const inScript = (json: string) =>
  json.replaceAll(/[&<>]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Returns the part of a longer text's base64 that depends on these bytes alone, not on what surrounds them. */
function inBase64(bytes: Buffer, offset: number): string {
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor(((offset + bytes.length) * 8) / 6);
  return Buffer.concat([Buffer.alloc(offset), bytes])
    .toString("base64")
    .slice(first, last);
}
