import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates, TLSSocket } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { createAuthority, createCertificate, type Certified } from "../../../tests/support/servers/certificates.ts";
import { serveLocally } from "../../../tests/support/servers/serve-locally.ts";
import { describeConnection, runTool } from "./postgres-tools.ts";

/** Where Debian has PostgreSQL's programs. The packages of the tests do not include pg_dump. */
const PROGRAMS = "/usr/lib/postgresql/15/bin";

/** Speaks PostgreSQL's protocol up to the client's first message over TLS, and then hangs up. */
async function startEncrypted(certified: Certified) {
  const { promise: greeted, resolve } = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write("S");
      const secure = new TLSSocket(socket, { isServer: true, ...certified });
      secure.on("error", () => {});
      secure.once("data", () => {
        resolve();
        secure.end();
      });
    });
  });
  const { port, close } = await serveLocally(server, "localhost");
  onTestFinished(() => void close());
  return { greeted, url: `postgres://app:word@localhost:${port}/nodebeat` };
}

test("passes the password to PostgreSQL's programs in the environment, never as an argument", () => {
  const url = "postgres://app:planted%20word@db.example:6000/nodebeat?sslmode=verify-full";
  expect(describeConnection(url, "/tmp/authorities.pem")).toEqual({
    PGHOST: "db.example",
    PGPORT: "6000",
    PGUSER: "app",
    PGPASSWORD: "planted word",
    PGDATABASE: "nodebeat",
    PGSSLMODE: "verify-full",
    PGSSLROOTCERT: "/tmp/authorities.pem",
    PGAPPNAME: "nodebeat ops",
  });
});

test.skipIf(!existsSync(join(PROGRAMS, "pg_dump")))(
  "PostgreSQL's programs trust the certificate authorities that the server's own connections trust",
  async () => {
    const authority = createAuthority("An authority of one's own");
    const before = getCACertificates("default");
    setDefaultCACertificates([...before, authority.cert]);
    onTestFinished(() => setDefaultCACertificates(before));
    const { greeted, url } = await startEncrypted(createCertificate({ host: "localhost", issuer: authority }));
    const folder = await mkdtemp(join(tmpdir(), "nodebeat-tools-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    vi.stubEnv("TMPDIR", folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { ended } = runTool("pg_dump", [], `${url}?sslmode=verify-full`, { PATH: PROGRAMS });
    await Promise.race([greeted, ended]);
    await expect(ended).rejects.toThrow(/closed/);
    expect(await readdir(folder)).toEqual([]);
  },
);
