/** Where an installation offers its node client (server/vite/node-package.ts). */
export const packageOf = (address: string): string => `${address}/node/nodebeat-node.tgz`;

type Target = { address: string; deviceKey: string };

/**
 * What starts a node in a terminal, whole: it fetches the client, and hands it the key by the environment, which the list
 * of processes does not show.
 */
export const unixCommand = ({ address, deviceKey }: Target): string => `NODEBEAT_KEY=${deviceKey} ${run(address)}`;

/** The same in PowerShell. */
export const windowsCommand = ({ address, deviceKey }: Target): string =>
  `$env:NODEBEAT_KEY="${deviceKey}"; ${run(address)}`;

const run = (address: string) => `npx --yes ${packageOf(address)} --url ${address}`;
