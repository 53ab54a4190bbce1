import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/* Checks what docs/standards says about the code itself, where no request and no page can show it. */

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(root + path, "utf8");
/** Removes comments. Within an address or a pattern, as in `https://*.`, these characters begin no comment. */
const withoutComments = (text: string) => text.replace(/(?<![^\s({])\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
const sources = globSync("{app,server,node}/**/*.{ts,tsx,mjs}", { cwd: root })
  .filter((path) => !/\.(?:test|fixture)\.tsx?$/.test(path))
  .sort()
  .map((path) => ({ path, text: withoutComments(read(path)) }));

/** What can do harm, and the files that do it. Before you add a file here, look at what it does with it. */
const REVIEWED: Record<string, [pattern: RegExp, files: string[]]> = {
  "a query has an unparameterized part": [
    /\bsql\.raw\(|\.query(?:<[^(]*>)?\(\s*`[^`]*\$\{/,
    [
      "server/agent-insights/jobs.queries.ts",
      "server/db/embedded/maintenance.ts",
      "server/db/grant-use.ts",
      "server/db/migrate.ts",
      "server/db/opaque-param.ts",
      "server/db/prepare-server.ts",
      "server/db/transaction.ts",
      "server/live/queries.ts",
      "server/months/old-months.queries.ts",
      "server/months/partition.queries.ts",
      "server/network/queries.ts",
      "server/ops/backup/postgres.ts",
      "server/ops/backup/read-deleted.ts",
      "server/points/ledger/monthly.ts",
      "server/points/ledger/posting.queries.ts",
      "server/points/ledger/rebuild.queries.ts",
      "server/points/log/detail.queries.ts",
      "server/points/log/log.queries.ts",
      "server/points/queries.ts",
      "server/referrals/queries.ts",
    ],
  ],
  "another program is started": [
    /"node:(?:child_process|cluster)"/,
    ["server/boot/install.mjs", "server/ops/backup/postgres-tools.ts", "server/vite/node-package.ts"],
  ],
  "a shell is used": [/\bshell: |\bexec(?:Sync)?\b[^;]*from "node:child_process"/, []],
  "text runs as code": [/\beval\(|\bFunction\(|"node:vm"|\bset(?:Timeout|Interval)\(\s*["'`]/, []],
  "a regular expression is built from text": [
    /\bRegExp\(/,
    [
      "app/faqs/search.ts",
      "app/frame/navigation.ts",
      "server/campaigns/completion-file.ts",
      "server/content/contract.ts",
      "server/profile/handles.ts",
    ],
  ],
  "a page sets raw markup": [
    /dangerouslySetInnerHTML/,
    ["app/page/browser-floor.tsx", "app/page/restore-scroll.tsx", "app/page/start-script.tsx", "app/page/theme.tsx"],
  ],
  "markup is set in the DOM": [
    /\b(?:innerHTML|outerHTML|insertAdjacentHTML|srcDoc|DOMParser|createContextualFragment|setHTMLUnsafe)\b|document\.write/,
    [],
  ],
  "paste events are handled": [/\bonPaste\b|"paste"/, []],
  "messages from other windows are received": [/addEventListener\("message"|\bonmessage\b/, ["app/session/tabs.ts"]],
  "predictable randomness is used": [
    /Math\.random/,
    [
      "app/cache/connection.ts",
      "app/frame/scrambled-title.tsx",
      "app/live/keep-stream-open.ts",
      "app/page/restore-scroll.tsx",
      "node/start.ts",
      "server/db/transaction.ts",
      "server/jobs/run-job.ts",
    ],
  ],
  "something is encrypted": [/create(?:C|Dec)ipher|publicEncrypt|subtle\b/, ["server/secrets/seal.ts"]],
  "a password is hashed": [/"@node-rs\/argon2"|"bcrypt|\bscrypt|\bpbkdf2/, ["server/auth/password/hash.worker.ts"]],
  "a token signed by somebody else is read": [
    /\bjwt\b|jwtDecode|decodeJwt|"jose"|getClaims/i,
    ["server/log/redaction.ts"],
  ],
  "TLS settings differ from the defaults": [
    /rejectUnauthorized|\bm(?:in|ax)Version\b|\bciphers\b|secure(?:Protocol|Options)|ecdhCurve/,
    ["server/ops/doctor/machine.ts"],
  ],
  "an outgoing request is made": [
    /(?<![.\w])fetch\(|createTransport\(|new (?:Client|Pool|OTLPTraceExporter)\(|\{[^}]*\b(?:connect|request)\b[^}]*\} from "node:(?:https?|net|tls)"/,
    [
      "app/api/transport.ts",
      "app/cache/browser-read.ts",
      "app/cache/connection.ts",
      "app/claims/claim-in-browser.ts",
      "app/frame/commands/use-questions.ts",
      "app/live/event-stream.ts",
      "app/session/leave.ts",
      "app/session/send-form.ts",
      "app/wallet/wallet-config.ts",
      "node/call.ts",
      "server/auth/provider/supabase-client.ts",
      "server/bot-check/turnstile.ts",
      "server/chain/rpc/station.ts",
      "server/db/prepare-server.ts",
      "server/http/check-backend.ts",
      "server/http/pass-on.ts",
      "server/mail/files.ts",
      "server/mail/smtp.ts",
      "server/node-pass/metadata.ts",
      "server/ops/backup/postgres-tools.ts",
      "server/ops/call-server.ts",
      "server/ops/doctor/machine.ts",
      "server/ops/doctor/neighbours.ts",
      "server/tracing/otlp.ts",
      "server/webhooks/send.ts",
    ],
  ],
  "another kind of outgoing request is made": [
    /\b(?:globalThis|window)\.fetch\b|\bsendBeacon\b|new (?:WebSocket|EventSource|XMLHttpRequest)\(|import (?:\w+|\* as \w+) from "node:(?:https?|net|tls)"|"node:(?:http2|dgram)"/,
    ["node/call.ts"],
  ],
  "a log line has no constant message": [
    /\blog\.(?:fatal|error|warn|info|debug|trace)\((?:\s*[^\s"{]|[^;]*\},\s*`)/,
    [
      "server/boot/background.ts",
      "server/boot/start.ts",
      "server/db/embedded/embedded-server.ts",
      "server/http/listening/shedding.ts",
      "server/index.ts",
      "server/vite/dev-server.ts",
      "server/webhooks/deliver-message.ts",
    ],
  ],
  "output bypasses the log": [
    /\bconsole\.|process\.std(?:out|err)\b|\bpino\(|\bappendFile/,
    [
      "app/entry.server.tsx",
      "app/page/log-failure.ts",
      "node/prompt.ts",
      "node/start.ts",
      "server/boot/check-node.mjs",
      "server/boot/install.mjs",
      "server/index.ts",
      "server/log/log.ts",
      "server/ops/ops-log.ts",
      "server/ops/ops.command.ts",
      "server/vite/missing-code.ts",
    ],
  ],
  "focus triggers an action": [
    /\bonFocus(?:Capture)?=|"focus(?:in)?", /,
    [
      "app/frame/preload-on-intent.tsx",
      "app/referrals/referral-card.tsx",
      "app/start-node/start-command.tsx",
      "app/ui/chart/bar-chart.tsx",
      "app/ui/lost-focus.ts",
      "app/ui/popover.ts",
      "app/ui/tooltip.tsx",
    ],
  ],
  "pressing down triggers an action": [
    /onPointerDown|onMouseDown|"(?:pointer|mouse)down"/,
    ["app/frame/commands/command-menu.tsx", "app/ui/light-dismiss.ts", "app/ui/tooltip.tsx"],
  ],
  "gestures or device motion are handled": [
    /onTouch|"touch(?:start|move|end)"|onDrag|\bdraggable\b|setPointerCapture|onWheel|"device(?:motion|orientation)"/,
    [],
  ],
};

test.each(Object.entries(REVIEWED))("%s only in reviewed files", (_, [pattern, files]) => {
  const found = sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
  expect(found, "Look at what a new file does with it, then add it to REVIEWED; remove one that is gone").toEqual(
    files,
  );
});

/** Code that each pattern must find: for patterns that find nothing here, and for other ways to write the same. */
const WOULD_BE = {
  "a query has an unparameterized part": ["pool.query<Row>(`select ${name}`);"],
  "another program is started": ['const { spawn } = await import("node:child_process");'],
  "a shell is used": ['import { exec } from "node:child_process";', "spawn(tool, { shell: true });"],
  "text runs as code": ["eval(text)", "new Function(text)", 'import { runInNewContext } from "node:vm";'],
  "markup is set in the DOM": ["element.innerHTML = text;", "<iframe srcDoc={text} />", "document.write(text);"],
  "another kind of outgoing request is made": [
    "await globalThis.fetch(url);",
    "new WebSocket(url);",
    "navigator.sendBeacon(url);",
    'import http from "node:http";',
    'import * as net from "node:net";',
  ],
  "paste events are handled": ["<input onPaste={refuse} />", 'addEventListener("paste", refuse)'],
  "gestures or device motion are handled": ["<div onTouchMove={drag} />", "<li draggable />"],
};

test("the patterns match the code that they are meant to find, even if no file contains it", () => {
  const nowhere = Object.entries(REVIEWED).flatMap(([what, [, files]]) => (files.length === 0 ? [what] : []));
  expect(Object.keys(WOULD_BE)).toEqual(expect.arrayContaining(nowhere));
  const missed = Object.entries(WOULD_BE).flatMap(([what, lines]) =>
    lines.filter((line) => !REVIEWED[what]?.[0].test(line)),
  );
  expect(missed).toEqual([]);
  const after = 'const address = "https://*.example"; eval(text); /** Says why. */';
  expect(withoutComments(after)).toBe(after.replace("/** Says why. */", ""));
});

test("every hash, MAC and derived key uses SHA-256, and encryption uses AES-256-GCM", () => {
  const algorithms = sources.flatMap(({ text }) =>
    Array.from(
      text.matchAll(/\bcreate(?:Hash|Hmac|Cipheriv|Decipheriv)\(\s*([^,)]+)|\b(?:hash|hkdfSync)\(\s*("[^"]*")/g),
      ([, made, named]) => made ?? named,
    ),
  );
  expect(algorithms.length).toBeGreaterThan(15);
  expect(new Set(algorithms)).toEqual(new Set(['"sha256"', "CIPHER"]));
  expect(read("server/secrets/seal.ts")).toContain('const CIPHER = "aes-256-gcm";');
});

test("dependencies have exact versions, and every installed package has a hash and comes from the registry", () => {
  type Installed = { integrity?: string; link?: boolean; resolved?: string };
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Installed> };
  const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
  const installed = Object.entries(packages).filter(([place]) => place !== "");
  expect(installed.length).toBeGreaterThan(500);
  expect(installed.filter(([, { integrity, resolved }]) => !integrity?.startsWith("sha512-") || resolved)).toEqual([]);
  expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
