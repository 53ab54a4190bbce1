import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { findMemorySnapshot } from "../../../tests/support/database/empty-database.ts";
import { serveEngine } from "./engine-socket.ts";
import { createSocketFolder, type SocketFolder } from "./socket-folder.ts";

let engine: PGlite;
let sockets: SocketFolder;
let stop: () => Promise<void>;
let failure: unknown;
const clients: Client[] = [];

beforeAll(async () => {
  const snapshot = new Blob([await readFile(await findMemorySnapshot())]);
  engine = await PGlite.create("memory://", { loadDataDir: snapshot });
  await engine.exec("create table written (number integer primary key)");
  sockets = await createSocketFolder();
  stop = await serveEngine(engine, sockets.socket, (error) => {
    failure = error;
  });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await engine.exec("truncate written");
  if (failure) throw failure;
});
afterAll(async () => {
  await stop();
  await engine.close();
  await sockets.remove();
});

async function openClient(): Promise<Client> {
  const client = new Client({ host: sockets.folder, user: "postgres", database: "postgres" });
  clients.push(client);
  await client.connect();
  return client;
}

/** Opens a connection and completes its startup. */
async function openSocket(): Promise<Socket> {
  const socket = connect(sockets.socket);
  socket.write(GREETING);
  await once(socket, "data");
  return socket;
}

/**
 * Encodes a message of the wire protocol: its type, its length including the four bytes of the length, and its body.
 */
function encode(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const encodeQuery = (text: string) => encode("Q", Buffer.from(`${text}\0`));
/** Version 3.0 of the protocol, with the user and the database. */
const GREETING = encode("", Buffer.from("\0\x03\0\0user\0postgres\0database\0postgres\0\0"));
const TLS_REQUEST = encode("", Buffer.from("04d2162f", "hex"));
/** Prepares an unnamed statement, without a message that asks for the answer. */
const PARSE = encode("P", Buffer.from("\0select 1\0\0\0"));

test("a failed query returns its error, and the next query works", async () => {
  const client = await openClient();
  const insert = { name: "insert", text: "insert into written values ($1)", values: [1] };
  await client.query(insert);
  await expect(client.query(insert)).rejects.toHaveProperty("code", "23505");
  await expect(client.query("selec 1")).rejects.toHaveProperty("code", "42601");
  await expect(client.query("select $1::integer", ["no number"])).rejects.toHaveProperty("code", "22P02");
  expect((await client.query("select number from written")).rows).toEqual([{ number: 1 }]);
});

test("pipelined queries are answered in order", async () => {
  const socket = await openSocket();
  socket.write(
    Buffer.concat([encodeQuery("select 'one'"), encodeQuery("select 'two'"), encodeQuery("select 'three'")]),
  );
  let answers = "";
  while (!answers.includes("three")) answers += (await once(socket, "data")).toString();
  expect(answers).toMatch(/one[^]*two[^]*three/);
  socket.destroy();
});

test("requests and responses of many megabytes arrive complete", async () => {
  const client = await openClient();
  const text = "node".repeat(1_000_000);
  const { rows } = await client.query("select $1::text as text, repeat($1, 2) as twice", [text]);
  expect(rows).toEqual([{ text, twice: text + text }]);
});

test("a request that arrives byte by byte is answered once it is complete", async () => {
  const socket = await openSocket();
  const answer = once(socket, "data");
  for (const byte of encodeQuery("select 'piece' as whole")) socket.write(Uint8Array.of(byte));
  expect(String(await answer)).toContain("piece");
  socket.destroy();
});

test("a client that asks for encryption is refused it and can continue without", async () => {
  const socket = connect(sockets.socket);
  socket.write(TLS_REQUEST);
  const [refusal] = await once(socket, "data");
  expect(String(refusal)).toBe("N");
  socket.write(GREETING);
  const [greeting] = await once(socket, "data");
  expect(String(greeting)).toContain("server_version");
  socket.destroy();
});

test("rolls back the transaction of a client that disconnects", async () => {
  const socket = await openSocket();
  const answer = once(socket, "data");
  socket.write(encodeQuery("begin; insert into written values (1)"));
  await answer;
  // Also leaves in the middle of a request, which will never be complete.
  socket.write(PARSE);
  socket.destroy();

  const client = await openClient();
  expect((await client.query("select number from written")).rows).toEqual([]);
});

test("a second client waits until the first has disconnected", async () => {
  const first = await openClient();
  await first.query("begin");
  await first.query("insert into written values (1)");
  const second = openClient();
  await first.query("insert into written values (2)");
  await first.query("commit");
  await first.end();
  expect((await (await second).query("select number from written order by number")).rows).toEqual([
    { number: 1 },
    { number: 2 },
  ]);
});

test("throws if it cannot listen on the path", async () => {
  await expect(serveEngine(engine, join(sockets.folder, "nowhere", "socket"), () => {})).rejects.toHaveProperty(
    "code",
    "EACCES",
  );
});
