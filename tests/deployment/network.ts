import { Pool } from "pg";
import { createSessionCookie } from "../../app/session/session.ts";
import { createCredential } from "../../server/secrets/credential.ts";
import { startApp } from "../support/servers/start-app.ts";

/** A member with an open page and a node, as traffic needs them. */
export type TrafficMember = { userId: string; token: string; cookie: string; deviceKey: string };

const AT_ONCE = 10;

/** Creates members with a history on an installation's database, using the services themselves. */
export async function createNetwork(databaseUrl: string, publicUrl: string, count: number): Promise<TrafficMember[]> {
  const app = await startApp({ databaseUrl });
  const sessionCookie = createSessionCookie(publicUrl);
  const pool = new Pool({ connectionString: databaseUrl, max: 2 });
  async function createMember(): Promise<TrafficMember> {
    const { token, userId } = await app.seed.member({ fullName: "Ada Lovelace" });
    await app.seed.friend(userId, { heartbeats: 3 });
    const device = createCredential("device");
    await pool.query("insert into node_devices (user_id, id, name, key_hash) values ($1, $2, 'Node', $3)", [
      userId,
      crypto.randomUUID(),
      device.hash,
    ]);
    const [cookie = ""] = (await sessionCookie.commit({ accessToken: token, userId })).split(";");
    return { userId, token, cookie, deviceKey: device.token };
  }
  try {
    const members: TrafficMember[] = [];
    while (members.length < count) {
      const next = Math.min(AT_ONCE, count - members.length);
      members.push(...(await Promise.all(Array.from({ length: next }, createMember))));
    }
    await pool.query("vacuum analyze");
    return members;
  } finally {
    await pool.end();
    await app.close();
  }
}

/** Production requires a mail server, but nothing here sends an email. */
export const MAIL = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "Nodebeat <hello@nodebeat.test>" };
