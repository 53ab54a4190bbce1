/** Where an installation offers its node client (server/vite/node-package.ts). */
export const packageOf = (address: string): string => `${address}/node/nodebeat-node.tgz`;

type Target = { address: string; deviceKey: string };

/**
 * What starts a node in a terminal, whole: it fetches the client, and hands it the key by the environment, which the list
 * of processes does not show.
 */
export const unixCommand = ({ address, deviceKey }: Target): string =>
  `NODEBEAT_KEY=${quoteForShell(deviceKey)} ${run(address, quoteForShell)}`;

/** The same in PowerShell. */
export const windowsCommand = ({ address, deviceKey }: Target): string =>
  `$env:NODEBEAT_KEY='${double(deviceKey)}'; ${run(address, quoteForPowerShell)}`;

type Quote = (word: string) => string;

const run = (address: string, quote: Quote) => `npx --yes ${quote(packageOf(address))} --url ${quote(address)}`;

/** Both words come from a backend: whatever they hold, a terminal must take each for one word. */
const quoteForShell: Quote = (word) => (isPlain(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);
const quoteForPowerShell: Quote = (word) => (isPlain(word) ? word : `'${double(word)}'`);

const isPlain = (word: string) => /^[\w.:/-]+$/.test(word);
/** PowerShell takes curly quotes for straight ones, as text programs write them. */
const double = (word: string) => word.replaceAll(/['\u2018-\u201b]/g, "$&$&");
