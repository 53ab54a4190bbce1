// Runs before anything is installed, on whatever Node the machine has: plain JavaScript that old versions can read.
// `node server/boot/check-node.mjs run` asks whether this Node can run the server; otherwise, whether it can install
// it.

/**
 * Says what to do about a Node that is too old. Returns undefined if it is new enough. On Linux with glibc the
 * dependencies include the Node that the scripts use, so an older one is enough to install. Elsewhere the machine's own
 * Node runs everything.
 * @param {{ version: string, platform: string, arch: string, isGlibc: boolean }} machine
 * @param {"install" | "run"} purpose
 * @returns {string | undefined}
 */
export function explainOldNode(machine, purpose) {
  const major = Number(machine.version.split(".")[0]);
  const bringsOwn = machine.platform === "linux" && machine.isGlibc && ["x64", "arm64"].includes(machine.arch);
  const needed = bringsOwn && purpose === "install" ? 20 : 24;
  if (major >= needed) return undefined;
  const problem = `Nodebeat needs Node ${needed} or newer, and this is Node ${machine.version}.`;
  if (bringsOwn && purpose === "run") return `${problem} \`npm ci\` brings one, which \`npm start\` uses.`;
  return `${problem} Get it at https://nodejs.org and try again.`;
}

/** Describes this machine. The report names the C library only if it is glibc. */
function describeMachine() {
  const { platform, arch, versions, report } = process;
  /** @type {any} -- typed as object; old versions have no report at all */
  const details = platform === "linux" && report ? report.getReport() : undefined;
  return { platform, arch, version: versions.node, isGlibc: Boolean(details && details.header.glibcVersionRuntime) };
}

const problem = explainOldNode(describeMachine(), process.argv[2] === "run" ? "run" : "install");
if (problem) {
  console.error(problem);
  process.exit(1);
}
