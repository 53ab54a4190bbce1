import { encodeFunctionData, getAddress, stringToHex, type Address } from "viem";
import { afterAll, expect, test } from "vitest";
import { identityAbi } from "../../server/chain/abi.ts";
import { readSmartAccountConsent, requestMachineId } from "../../server/machine-id/contract.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages } from "../../tests/support/pages/test-pages.ts";
import { NOT_AS_SHOWN } from "../wallet/sign/not-as-shown.ts";

/* What a wallet may be asked to sign for the identity network, in front of a backend that is someone else's by now. */

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const FACTORY: Address = "0x00000000000000000000000000000000facade01";
const MACHINE = getAddress(`0x${"a0".repeat(20)}`);
const OTHER: Address = `0x${"b1".repeat(20)}`;
const PRECOMPILE = "0x0000000000000000000000000000000000000800";

type Record = { account?: Address; functionName?: "addAttribute" | "updateAttribute" };
const record = ({ account = MACHINE, functionName = "addAttribute" }: Record = {}) =>
  encodeFunctionData({ abi: identityAbi, functionName, args: [account, stringToHex("did:peaq:1"), "0x12", 0] });

const transfer = (to: Address) => `0xa9059cbb${to.slice(2).padStart(64, "0")}${"f".repeat(64)}`;

const deploy = {
  domain: { name: "MachineStationFactory", version: "2", chainId: 3338, verifyingContract: FACTORY },
  types: { Permit: [{ name: "spender", type: "address" }] },
  primaryType: "DeployMachineSmartAccount",
  message: { machineOwner: MACHINE, nonce: "1" },
};
const execute = {
  domain: { name: "MachineSmartAccount", version: "2", chainId: 3338, verifyingContract: MACHINE },
  types: deploy.types,
  primaryType: "Execute",
  message: { target: PRECOMPILE, data: record(), nonce: "1" },
};

/** What must not be signed for either of them, in the place of what is asked for. */
const strange = ({ domain, message, ...rest }: typeof deploy | typeof execute) => ({
  "another kind of data": { domain, message, ...rest, primaryType: "Permit" },
  "another network": { message, ...rest, domain: { ...domain, chainId: 1 } },
  "another product": { message, ...rest, domain: { ...domain, name: "Coin" } },
  "no contract": { message, ...rest, domain: { ...domain, verifyingContract: "0x1" } },
});

const order = (message: { target?: string; data?: string }) => ({
  ...execute,
  message: { ...execute.message, ...message },
});

const LIES = {
  "request-smart-account": {
    ...strange(deploy),
    "another factory": { ...deploy, domain: { ...deploy.domain, verifyingContract: OTHER } },
  },
  "request-machine-id": {
    ...strange(execute),
    "a call of another contract": order({ target: OTHER }),
    "a transfer": order({ target: OTHER, data: transfer(OTHER) }),
    "another call of the register": order({ data: record({ functionName: "updateAttribute" }) }),
    "the record of another account": order({ data: record({ account: OTHER }) }),
    "no call": order({ data: "0x" }),
  },
};

describePages(
  database,
  api,
  ({ pages, visitMember }) => {
    /** Opens the page of a member, and asks there for what the backend then wants signed. */
    async function open(intent: keyof typeof LIES) {
      const { visitor } = await visitMember();
      return async (typedData: object) => {
        pages.override(readSmartAccountConsent, () => Response.json({ mode: "rpc", typedData }));
        pages.override(requestMachineId, () => Response.json({ success: true, message: "", data: { typedData } }));
        const response = await visitor.post("/machine-id", { intent });
        return { status: response.status, body: (await response.json()) as unknown };
      };
    }

    test.each([
      ["request-smart-account", deploy],
      ["request-machine-id", execute],
    ] as const)("%s: hands on what its contract knows, and nothing beside it", async (intent, asked) => {
      const ask = await open(intent);
      const spender = { spender: MACHINE };
      const { body, status } = await ask({ ...asked, message: { ...asked.message, ...spender } });
      const fields = Object.keys(asked.message).map((name) => expect.objectContaining({ name }));
      const { domain, message, primaryType } = asked;
      expect(status).toBe(200);
      expect(body).toMatchObject({ typedData: { domain, message, primaryType, types: { [primaryType]: fields } } });
      expect(JSON.stringify(body)).not.toMatch(/permit|spender/i);
    });

    test.each(["request-smart-account", "request-machine-id"] as const)(
      "%s: has nothing else signed, tells the member so, and logs it",
      async (intent) => {
        const ask = await open(intent);
        for (const [lie, typedData] of Object.entries(LIES[intent])) {
          pages.log.error.mockClear();
          const answer = await ask(typedData);
          expect({ lie, ...answer }).toMatchObject({ lie, status: 500, body: { message: NOT_AS_SHOWN } });
          const err = expect.objectContaining({ cause: expect.any(Error) });
          expect(pages.log.error).toHaveBeenCalledWith({ err }, "A form was refused");
        }
      },
    );
  },
  { chainFactoryAddress: FACTORY },
);
