import { existsSync, readdirSync } from "node:fs";
import { access, constants, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { Logger } from "../../log/log.ts";
import { makeFolder } from "../../make-folder.ts";
import { DatabaseCannotOpen, type Status } from "../unavailable.ts";
import { DiskSpace, MINIMUM_MEBIBYTES } from "./disk-space.ts";
import { EngineThread } from "./engine-thread.ts";
import { lockFolder } from "./folder-lock.ts";
import { createSocketFolder, type SocketFolder } from "./socket-folder.ts";

/** Time between two checks of the disk and the engine, in milliseconds. */
const TICK = 1_000;
/** How many ticks without an answer until new work is refused. */
const BUSY_AFTER = 10;
/** How many ticks without an answer until the engine is restarted: the statement timeout, in seconds. */
const STUCK_AFTER = 30;
/** The same while there are statements without a time limit, because even one of those may hang. */
const STUCK_FOR_SURE = 60 * 60;
/**
 * The maximum number of ticks between two attempts to start an engine that fails. Each costs seconds of processor time.
 */
const LONGEST_PAUSE = 60;

const FULL = "The disk is full.";
const RESTARTING = "The database is restarting.";
const BUSY = "The database is busy.";
const CLOSED = "The database is closed.";

/**
 * The embedded PostgreSQL in a folder. Holds the folder's lock, keeps an engine running, and reports whether it can
 * take work. Restarts an engine that dies or gets stuck, as on a full disk, as soon as there is space. If it fails to
 * start then, tries again after growing pauses.
 */
export class EmbeddedServer {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #disk: DiskSpace;
  readonly #sockets: SocketFolder;
  /** The folder's lock and the socket's folder. Released last. */
  readonly #held: AsyncDisposableStack;
  #engine: EngineThread | undefined;
  #restart: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** How many starts in a row have failed, and how many ticks to wait until the next one. */
  #failures = 0;
  #pause = 0;
  #unlimited = 0;
  #closed = false;
  /** Aborted when the database is closed. */
  readonly #stopping = new AbortController();
  /**
   * Transactions without a statement timeout. While one of their statements runs, others may be refused because the
   * database is busy.
   */
  transactions: ReadonlySet<object> = new Set();

  private constructor(folder: string, log: Logger, disk: DiskSpace, sockets: SocketFolder, held: AsyncDisposableStack) {
    this.#folder = folder;
    this.#log = log;
    this.#disk = disk;
    this.#sockets = sockets;
    this.#held = held;
  }

  /**
   * Starts the engine, and creates a database if there is none and `creates` is set. Throws DatabaseCannotOpen if the
   * database is missing, if a restore has moved it aside, if the folder is in use or not writable, or if its disk is
   * full.
   */
  static async start(dataDir: string, log: Logger, { creates }: { creates: boolean }): Promise<EmbeddedServer> {
    const folder = resolve(dataDir, "db");
    if (!creates) requireDatabase(folder);
    await requireFolder(folder);
    await using held = new AsyncDisposableStack();
    held.defer(lockFolder(folder));
    requireNoUnfinishedRestore(folder);
    // Left by a restore that was killed: one that is running would hold the lock.
    await rm(restoreFolderIn(folder), { recursive: true, force: true });
    const disk = new DiskSpace(folder);
    await requireSpace(disk, folder);
    const sockets = await createSocketFolder(join(folder, "socket"));
    held.defer(() => sockets.remove());
    const server = new EmbeddedServer(folder, log, disk, sockets, held.move());
    await server.#startFirst();
    return server;
  }

  /** The folder of the engine's files. */
  get engineFolder(): string {
    return engineFolderIn(this.#folder);
  }

  /** The folder of the socket, which `pg` accepts as a host. */
  get socketFolder(): string {
    return this.#sockets.folder;
  }

  status(): Status {
    if (this.#closed) return { ok: false, reason: CLOSED };
    if (this.#disk.low) return { ok: false, reason: FULL };
    if (!this.#engine) return { ok: false, reason: RESTARTING };
    const busy = this.#unlimited === 0 && this.#engine.unanswered >= BUSY_AFTER;
    return busy ? { ok: false, reason: BUSY } : { ok: true };
  }

  /** Runs work whose statements have no time limit: migrations and maintenance. */
  async withoutTimeLimit<T>(work: () => Promise<T>): Promise<T> {
    this.#unlimited += 1;
    try {
      return await work();
    } finally {
      this.#unlimited -= 1;
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    // A start may take as long as a large log, and the next one begins where this one did.
    this.#stopping.abort();
    await this.#restart;
    await this.#engine?.close();
    await this.#held.disposeAsync();
  }

  async #startFirst() {
    try {
      await this.#startEngine();
      this.#schedule();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  #schedule(delay = TICK) {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(() => void this.#tick(), delay).unref();
  }

  async #tick() {
    try {
      await this.#watchDisk();
      if (this.#engine) this.#watchEngine(this.#engine);
      else if (this.#pause > 0) this.#pause -= 1;
      else if (!this.#disk.low) await this.#startAgain();
    } catch (error) {
      this.#log.error({ err: error }, "The embedded database cannot be watched");
    }
    this.#schedule();
  }

  async #watchDisk() {
    const { low } = this.#disk;
    const free = await this.#disk.refresh();
    if (this.#disk.low === low) return;
    this.#pause = 0;
    const space = { folder: this.#folder, freeMebibytes: free };
    if (low) this.#log.info(space, "There is space on the disk again");
    else this.#log.error(space, "The disk is full: the database is paused");
  }

  #watchEngine(engine: EngineThread) {
    engine.ping();
    const limit = this.transactions.size > 0 ? STUCK_FOR_SURE : STUCK_AFTER;
    if (this.#unlimited > 0 || engine.unanswered <= limit) return;
    void engine.kill(`no answer for ${limit} s`);
  }

  async #startAgain() {
    if (this.#closed) return;
    this.#restart = this.#startEngine().then(
      () => this.#noteStart(),
      (error: unknown) => this.#noteFailure(error),
    );
    await this.#restart;
  }

  #noteStart() {
    this.#failures = 0;
    this.#log.info("The embedded database is running again");
  }

  #noteFailure(error: unknown) {
    if (this.#closed) return;
    // Minus one, because the next attempt comes one tick after the pause.
    this.#pause = Math.min(2 ** this.#failures, LONGEST_PAUSE) - 1;
    this.#failures += 1;
    this.#log.error({ err: error }, "The embedded database could not be started again");
  }

  async #startEngine() {
    const place = { socket: this.#sockets.socket, folder: this.engineFolder };
    const engine = await EngineThread.start(place, this.#log, { stopping: this.#stopping.signal });
    this.#engine = engine;
    void engine.ended.then((reason) => this.#loseEngine(reason));
  }

  #loseEngine(reason: string) {
    this.#engine = undefined;
    if (this.#closed) return;
    this.#log.error({ reason }, "The embedded database stopped");
    this.#schedule(0);
  }
}

export const engineFolderIn = (folder: string): string => join(folder, "postgres");

/** Where a restore unpacks and checks the files that will replace the engine's. */
export const restoreFolderIn = (folder: string): string => join(folder, "restore");

/** Whether a path is one that a restore moved aside. */
export const isMovedAside = (path: string): boolean => basename(path).startsWith("postgres-until-");

/** Returns the folder that the latest restore moved aside, or null if there is none. */
export function findMovedAside(folder: string): string | null {
  if (!existsSync(folder)) return null;
  const names = readdirSync(folder).filter(isMovedAside);
  const latest = names.toSorted().at(-1);
  return latest === undefined ? null : join(folder, latest);
}

/** Whether there is a database, including one that a restore moved aside. */
export const hasDatabase = (folder: string): boolean =>
  existsSync(engineFolderIn(folder)) || findMovedAside(folder) !== null;

/**
 * Throws DatabaseCannotOpen if a killed restore has moved the database aside. Creating a new one would hide that, and
 * that all the data is still there.
 */
function requireNoUnfinishedRestore(folder: string) {
  const aside = existsSync(engineFolderIn(folder)) ? null : findMovedAside(folder);
  if (aside === null) return;
  throw new DatabaseCannotOpen(
    `There is no database in ${folder}: a restore that did not end has put it aside, as ${aside}. ` +
      "Run `npm run ops -- database restore` once more, or rename that folder to postgres.",
  );
}

function requireDatabase(folder: string) {
  if (existsSync(engineFolderIn(folder))) return;
  requireNoUnfinishedRestore(folder);
  throw new DatabaseCannotOpen(
    `There is no database in ${folder}. Set DATA_DIR to the folder of your Nodebeat, or start it once.`,
  );
}

async function requireFolder(folder: string) {
  try {
    await makeFolder(folder, 0o700);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const message = `The folder ${folder} cannot be written to. Set DATA_DIR to one that can.`;
    throw new DatabaseCannotOpen(message, { cause });
  }
}

async function requireSpace(disk: DiskSpace, folder: string) {
  const free = await disk.refresh();
  if (!disk.low) return;
  throw new DatabaseCannotOpen(
    `The disk of ${folder} is full: ${free} MB are free and the database needs ${MINIMUM_MEBIBYTES} MB. ` +
      "Make some space and start again.",
  );
}
