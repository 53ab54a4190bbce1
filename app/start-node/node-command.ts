/** Returns the URL of an installation's node client (server/vite/node-package.ts). */
export const packageOf = (address: string): string => `${address}/node/nodebeat-node.tgz`;

type Target = { address: string; deviceKey: string };

/**
 * Returns the complete command that starts a node in a terminal. It downloads the client, and passes the key in the
 * environment, which the list of processes does not show.
 */
export const unixCommand = ({ address, deviceKey }: Target): string =>
  `NODEBEAT_KEY=${quoteForShell(deviceKey)} npx ${describeNode(address, quoteForShell)}`;

/**
 * Returns the same for PowerShell. There, `npx` alone is a script, and Windows runs scripts only for users who have
 * allowed them.
 */
export const windowsCommand = ({ address, deviceKey }: Target): string =>
  `$env:NODEBEAT_KEY='${double(deviceKey)}'; npx.cmd ${describeNode(address, quoteForPowerShell)}`;

type Quote = (word: string) => string;

const describeNode = (address: string, quote: Quote) => `--yes ${quote(packageOf(address))} --url ${quote(address)}`;

/** Both words come from a backend: whatever they contain, a terminal must take each as one word. */
const quoteForShell: Quote = (word) => (isPlain(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);
/** A .cmd file makes cmd.exe parse its words again, so they have quotes for cmd.exe within those for PowerShell. */
const quoteForPowerShell: Quote = (word) => (isPlain(word) ? word : `'"${double(word.replaceAll('"', '""'))}"'`);

const isPlain = (word: string) => /^[\w.:/-]+$/.test(word);
/** PowerShell treats curly quotes, as word processors write them, like straight ones. */
const double = (word: string) => word.replaceAll(/['\u2018-\u201b]/g, "$&$&");
