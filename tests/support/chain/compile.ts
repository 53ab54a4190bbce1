import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import solc from "solc";

const SOURCES = ["machine-station.sol", "identity-register.sol", "node-pass.sol"];
const FOLDER = new URL("./contracts/", import.meta.url);
const WANTED = [
  "MachineStation",
  "OlderMachineStation",
  "IdentityRegister",
  "NodePass",
  "PlainPass",
  "ManyCalls",
] as const;

export const ARTIFACTS_PATH = fileURLToPath(new URL("./contracts/artifacts.json", import.meta.url));

type Code = { bytecode: string; deployedBytecode: string };
type Artifacts = Record<(typeof WANTED)[number], Code>;

type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<
    string,
    Record<string, { evm: { bytecode: { object: string }; deployedBytecode: { object: string } } }>
  >;
};

/** Compiles the test contracts, to the same bytes on every machine. Throws the compiler's errors. */
export function compileContracts(): Artifacts {
  const sources = Object.fromEntries(
    SOURCES.map((name) => [name, { content: readFileSync(new URL(name, FOLDER), "utf8") }]),
  );
  const settings = {
    evmVersion: "shanghai",
    optimizer: { enabled: true },
    metadata: { appendCBOR: false, bytecodeHash: "none" },
    outputSelection: { "*": { "*": ["evm.bytecode.object", "evm.deployedBytecode.object"] } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify({ language: "Solidity", sources, settings }))) as Output;
  const problems = output.errors?.filter(({ severity }) => severity === "error") ?? [];
  if (problems.length > 0) throw new Error(problems.map(({ formattedMessage }) => formattedMessage).join("\n"));

  const all = Object.assign({}, ...Object.values(output.contracts)) as Output["contracts"][string];
  return Object.fromEntries(
    WANTED.map((name) => [
      name,
      {
        bytecode: `0x${all[name]?.evm.bytecode.object}`,
        deployedBytecode: `0x${all[name]?.evm.deployedBytecode.object}`,
      },
    ]),
  ) as Artifacts;
}
