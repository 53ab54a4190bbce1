import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runOn } from "../support/database/test-database.ts";
import type { Fault } from "./fault.ts";
import { runOutage } from "./outage.ts";

/** Runs a command without its output. */

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: "ignore" });

function findMountObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return "only root can mount a small disk";
  try {
    run("unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt");
    return undefined;
  } catch {
    return "nothing can be mounted here";
  }
}

const full: Fault = {
  name: "disk-full",
  title: "The database's disk is full",
  findObstacle: findMountObstacle,
  finds: /each was done/,
  planted: { file: "server/db/unavailable.ts", from: "/^53/,", to: "/^53999/," },
  async run(report, options) {
    const disk = await mkdtemp("/tmp/nodebeat-disk-");
    run("mount", "-t", "tmpfs", "-o", "size=80m,mode=755", "tmpfs", disk);
    const filling = join(disk, "filling");
    let refused = 0;
    try {
      await runOutage(report, options, {
        stage: { postgres: { dataFolder: disk } },
        begin: () => fill(filling),
        end: () => rmSync(filling),
        seconds: 20,
        recovery: 3,
        reads: true,
        async after(_, load) {
          refused = load.asked.filter(({ outcome }) => outcome === "busy").length;
        },
      });
      report.expect(`the full disk was felt: ${refused} requests were refused`, refused > 0);
    } finally {
      run("umount", "--lazy", disk);
      await rm(disk, { recursive: true });
    }
  },
};

/** Fills the disk, down to the last page. */
function fill(path: string) {
  const piece = Buffer.alloc(4096);
  try {
    for (;;) writeFileSync(path, piece, { flag: "a" });
  } catch {
    // The disk is full, as intended.
  }
}

const failover: Fault = {
  name: "database-failover",
  title: "The database is killed and its replica takes over: read-only at first, writable three seconds later",
  finds: /each was done/,
  planted: { file: "server/db/unavailable.ts", from: 'READ_ONLY = "25006"', to: 'READ_ONLY = "00000"' },
  run: (report, options) =>
    runOutage(
      report,
      { ...options, times: 1 },
      {
        stage: { postgres: { standby: "synchronous" } },
        async begin(stage) {
          const folder = new URL(stage.databaseUrl()).searchParams.get("host") ?? tmpdir();
          const [pid] = readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n");
          process.kill(Number(pid), "SIGKILL");
          const standby = new URL(stage.databaseUrl());
          standby.port = "5433";
          stage.moveTo(standby.href);
        },
        end: ({ databaseUrl }) => runOn(databaseUrl(), "select pg_promote()"),
        seconds: 3,
        recovery: 6,
      },
    ),
};

export const STORAGE_FAULTS = [full, failover];
