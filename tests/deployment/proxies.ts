import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createAuthority, createCertificate } from "../support/servers/certificates.ts";
import { findFreePort, startOnFreePort } from "../support/servers/free-port.ts";

/** Proxies as Debian ships them, with only the processes' addresses configured. */
const DEFAULTS = ["nginx", "haproxy"] as const;
/** These, and the one in deploy/. */
export const PROXIES = [...DEFAULTS, "shipped"] as const;
export type ProxyName = (typeof PROXIES)[number];

export type Proxy = { url: string; httpUrl: string; ca?: string; output(): string; stop(): Promise<void> };

const NGINX = "/usr/sbin/nginx";
const HAPROXY = "/usr/sbin/haproxy";
const SHIPPED = fileURLToPath(new URL("../../deploy/haproxy.cfg", import.meta.url));

export const hasHaproxy = existsSync(HAPROXY);
export const hasNginx = existsSync(NGINX);

/** Starts a proxy in front of processes on these ports of 127.0.0.1. */
export const startProxyOf = (name: ProxyName, ports: number[]): Promise<Proxy> =>
  startOnFreePort((port) => startProxyAt(port, name, ports));

async function startProxyAt(port: number, name: ProxyName, ports: number[]): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), "nodebeat-proxy-"));
  // nginx's workers run as another user.
  chmodSync(folder, 0o755);
  const securePort = await findFreePort();
  const { args, env, ca } = DESCRIBE[name]({ folder, port, securePort, ports });
  const program = name === "nginx" ? NGINX : HAPROXY;
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const ended = once(child, "exit");
  const end = () => child.kill("SIGTERM");
  process.once("exit", end);
  async function stop() {
    process.off("exit", end);
    end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
  while (!(await accepts(port))) {
    if (child.exitCode === null && child.signalCode === null) await wait(20);
    else {
      await stop();
      throw new Error(`${name} did not start:\n${output}`);
    }
  }
  const httpUrl = `http://localhost:${port}`;
  return {
    httpUrl,
    url: ca ? `https://localhost:${securePort}` : httpUrl,
    ...(ca && { ca }),
    output: () => output,
    stop,
  };
}

type Place = { folder: string; port: number; securePort: number; ports: number[] };
type Start = { args: string[]; env?: Record<string, string>; ca?: string };

const DESCRIBE: Record<ProxyName, (place: Place) => Start> = {
  nginx({ folder, port, ports }) {
    const site = join(folder, "site.conf");
    const settings = join(folder, "nginx.conf");
    const servers = ports.map((each) => `  server 127.0.0.1:${each};`).join("\n");
    writeFileSync(
      site,
      `upstream nodebeat {\n${servers}\n}
server {
  listen 127.0.0.1:${port};
  location / {
    include /etc/nginx/proxy_params;
    proxy_pass http://nodebeat;
  }
}
`,
    );
    const theirs = readFileSync("/etc/nginx/nginx.conf", "utf8")
      .replace("/var/log/nginx/error.log", "stderr")
      .replaceAll("/var/log/nginx", folder)
      .replace("/run/nginx.pid", join(folder, "nginx.pid"))
      .replace("/etc/nginx/sites-enabled/*", site)
      .replaceAll("/etc/nginx/conf.d/*.conf;", `${folder}/none*.conf;`)
      .replaceAll("include /etc/nginx/modules-enabled/*.conf;", "");
    writeFileSync(settings, theirs);
    return { args: ["-c", settings, "-g", "daemon off;"] };
  },

  haproxy({ folder, port, ports }) {
    const settings = join(folder, "haproxy.cfg");
    const theirs = readFileSync("/etc/haproxy/haproxy.cfg", "utf8");
    const servers = ports.map((each, index) => `  server web-${index + 1} 127.0.0.1:${each} check`).join("\n");
    writeFileSync(
      settings,
      `${theirs.slice(theirs.indexOf("\ndefaults"))}
frontend http
  bind 127.0.0.1:${port}
  option forwardfor
  default_backend nodebeat
backend nodebeat
  option httpchk GET /readyz
${servers}
`,
    );
    return { args: ["-db", "-f", settings] };
  },

  shipped({ folder, port, securePort, ports: [first, second] }) {
    const authority = createAuthority("Proxy test");
    const { cert, key } = createCertificate({ host: "localhost", issuer: authority });
    const certificate = join(folder, "certificate.pem");
    writeFileSync(certificate, cert + key);
    return {
      args: ["-db", "-f", SHIPPED],
      ca: authority.cert,
      env: {
        HTTP_PORT: String(port),
        HTTPS_PORT: String(securePort),
        CERTIFICATE: certificate,
        WEB_1: `127.0.0.1:${first}`,
        WEB_2: `127.0.0.1:${second ?? first}`,
      },
    };
  },
};

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
