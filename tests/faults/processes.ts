import { setTimeout as pause } from "node:timers/promises";
import { startMailServer } from "../support/servers/mail-server.ts";
import { sendRequest } from "./send-request.ts";
import type { Fault } from "./fault.ts";
import { expectMail } from "./expect-mail.ts";
import { startLoad } from "./load.ts";
import { count, expectResponses, inSeconds } from "./outage.ts";
import { openStage, type Process } from "./stage.ts";
import { expectTruth } from "./truth.ts";
import { until } from "./until.ts";

/** How long a process may take to be back, in milliseconds. */

const BACK_WITHIN = 3_000;

const isReady = async (url: string) =>
  (await sendRequest(url, { path: "/readyz" }).catch(() => undefined))?.status === 200;

/**
 * Acts as a load balancer: asks each process four times a second whether it is ready, and sends requests to the ready
 * ones in turn.
 */
function balance(urls: string[]) {
  let ready = [...urls];
  let turn = 0;
  const polling = setInterval(() => {
    void Promise.all(urls.map(async (url) => ((await isReady(url)) ? [url] : []))).then(
      (found) => (ready = found.flat()),
    );
  }, 250);
  return {
    next: () => ({ url: ready[turn++ % ready.length] ?? urls[0] ?? "" }),
    has: (url: string) => ready.includes(url),
    stop: () => clearInterval(polling),
  };
}

const sigterm: Fault = {
  name: "sigterm",
  title: "SIGTERM to one of two web processes and to the worker, under load",
  times: 20,
  finds: /each was done/,
  planted: {
    file: "server/index.ts",
    from: 'stop(server, signal === "SIGTERM" ? env.shutdownGraceSeconds : 0).then(',
    to: "Promise.resolve(true).then(",
  },
  async run(report, { defect, times }) {
    const mail = await startMailServer();
    const stage = await openStage({
      defect,
      settings: { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: "a@nodebeat.test" },
    });
    try {
      const start = async (PORT: string) => {
        const process = await stage.started("web", { PORT });
        return { process, url: (await process.url) ?? "" };
      };
      const webs = [await start("0"), await start("0")];
      let worker = await stage.started("worker");
      const balancer = balance(webs.map(({ url }) => url));
      const load = startLoad(stage.seeded, balancer.next);
      const codes: (number | null)[] = [];
      for (let time = 0; time < times; time += 1) {
        const place = time % 2;
        const { process, url } = webs[place] ?? (await start("0"));
        for (const { child } of [process, worker]) child.kill("SIGTERM");
        for (const { ended } of [process, worker]) codes.push((await ended).code);
        webs[place] = await start(new URL(url).port);
        worker = await stage.started("worker");
        await until(() => balancer.has(url), 10);
      }
      await load.stop();
      balancer.stop();
      expectResponses(report, load.asked);
      report.expect(
        `all ${codes.length} processes ended by themselves, in time (${codes.join(", ")})`,
        codes.every((code) => code === 0),
      );
      await expectMail(report, load.promised.mails, () => mail.received, 20);
      await expectTruth(report, load.promised, { url: webs[0]?.url ?? "", databaseUrl: stage.databaseUrl() });
    } finally {
      await stage.close();
      mail.close();
    }
  },
};

const killWeb: Fault = {
  name: "kill-web",
  title: "kill -9 of the only web process, under load",
  times: 50,
  finds: /by halves|^ledger/,
  planted: {
    file: "server/db/transaction.ts",
    from: "await db.transaction((tx) => currentTransaction.run(scope, async () => await work(tx)), config);",
    to: "await work(db as never);",
  },
  async run(report, { defect, times }) {
    const stage = await openStage({ defect, seeds: { campaigns: 300 } });
    try {
      let web = await stage.started("web");
      const load = startLoad(stage.seeded, () => stage);
      const back: number[] = [];
      for (let time = 0; time < times; time += 1) {
        // Each time at a different moment of the work under way.
        await pause(500 + ((time * 37) % 400));
        const killedAt = performance.now();
        web.child.kill("SIGKILL");
        await web.ended;
        web = await stage.started("web");
        await stage.untilWell();
        back.push(performance.now() - killedAt);
      }
      await pause(1_000);
      await load.stop();
      expectResponses(report, load.asked, ({ outcome }) => outcome === "broken" || outcome === "unsent");
      expectBack(report, back);
      await expectTruth(report, load.promised, { url: stage.url, databaseUrl: stage.databaseUrl() });
    } finally {
      await stage.close();
    }
  },
};

function expectBack(report: Parameters<Fault["run"]>[0], back: number[]) {
  const sorted = back.toSorted((a, b) => a - b);
  const [median = 0, slowest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  report.expect(
    `back ${back.length} times, half of them within ${inSeconds(median)}, each within ${inSeconds(slowest)}: at most 3 s`,
    slowest <= BACK_WITHIN,
  );
}

/** In seconds: the lease of an email, and a margin. */
const LEASE = 150;

const killWorker: Fault = {
  name: "kill-worker",
  title: "kill -9 of the only worker, while it sends mail",
  times: 50,
  finds: /mails were promised/,
  planted: {
    file: "server/jobs/run-job.ts",
    from: "const next = await run(job);",
    to: "await deleteJob(db, job);\n    const next = await run(job);",
  },
  async run(report, { defect, times }) {
    // Slow, so that a worker holds emails when it is killed.
    const mail = await startMailServer({ onMailFrom: (_address, _session, done) => void setTimeout(done, 300) });
    const settings = { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: "a@nodebeat.test" };
    const stage = await openStage({ defect, settings, seeds: { forgetful: 400 } });
    try {
      const web = await stage.started("web");
      let worker: Process = await stage.started("worker");
      const load = startLoad(stage.seeded, () => stage, { mailEvery: 4 });
      const back: number[] = [];
      for (let time = 0; time < times; time += 1) {
        const before = mail.received.length;
        // Once it has sent something, it is busy with more.
        await until(() => mail.received.length > before, 5);
        const killedAt = performance.now();
        worker.child.kill("SIGKILL");
        await worker.ended;
        worker = await stage.started("worker");
        const url = (await worker.url) ?? "";
        await until(() => isReady(url), 10);
        back.push(performance.now() - killedAt);
      }
      await load.stop();
      report.note(`${count(load.asked)}, ${mail.received.length} letters came until the last kill`);
      expectResponses(report, load.asked);
      expectBack(report, back);
      report.expect("the web process has not ended", web.child.exitCode === null);
      await expectMail(report, load.promised.mails, () => mail.received, LEASE);
      await expectTruth(report, load.promised, { url: stage.url, databaseUrl: stage.databaseUrl() });
    } finally {
      await stage.close();
      mail.close();
    }
  },
};

export const PROCESS_FAULTS = [sigterm, killWeb, killWorker];
