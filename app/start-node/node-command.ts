/** Where an installation offers its node client (server/vite/node-package.ts). */
export const packageOf = (address: string): string => `${address}/node/nodebeat-node.tgz`;

type Target = { address: string; deviceKey: string };

/**
 * What starts a node in a terminal, whole: it fetches the client, and hands it the key by the environment, which the
 * list of processes does not show.
 */
export const unixCommand = ({ address, deviceKey }: Target): string =>
  `NODEBEAT_KEY=${quoteForShell(deviceKey)} npx ${describeNode(address, quoteForShell)}`;

/** The same in PowerShell, where `npx` alone is a script: Windows runs those for nobody who has not allowed them. */
export const windowsCommand = ({ address, deviceKey }: Target): string =>
  `$env:NODEBEAT_KEY='${double(deviceKey)}'; npx.cmd ${describeNode(address, quoteForPowerShell)}`;

type Quote = (word: string) => string;

const describeNode = (address: string, quote: Quote) => `--yes ${quote(packageOf(address))} --url ${quote(address)}`;

/** Both words come from a backend: whatever they hold, a terminal must take each for one word. */
const quoteForShell: Quote = (word) => (isPlain(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);
/** A .cmd file has cmd.exe read its words once more: they carry quotes for it within those for PowerShell. */
const quoteForPowerShell: Quote = (word) => (isPlain(word) ? word : `'"${double(word.replaceAll('"', '""'))}"'`);

const isPlain = (word: string) => /^[\w.:/-]+$/.test(word);
/** PowerShell takes curly quotes for straight ones, as text programs write them. */
const double = (word: string) => word.replaceAll(/['\u2018-\u201b]/g, "$&$&");
