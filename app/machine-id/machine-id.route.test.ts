import { afterAll, expect, test } from "vitest";
import {
  createSmartAccount,
  readMachineIdentity,
  readMachineIdStatus,
  readSmartAccount,
  requestMachineId,
  SmartAccountConsent,
  updateMachineIdSignature,
  type DeployTypedData,
  type ExecuteTypedData,
} from "../../server/machine-id/contract.ts";
import { logout } from "../../server/sessions/contract.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { seedChainMember, signAsWallet } from "../../tests/support/chain/chain-member.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createVisitor, describePages, readPage } from "../../tests/support/pages/test-pages.ts";
import type { MachineIdResponse } from "./machine-id.route.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const PAGE = "/profile#identity";
const LOGGED_OUT = "You must be logged in to create a Machine ID";

const refused = (status: number, message: string, error: string) => ({
  status,
  body: { message, error, statusCode: status },
});

describePages(database, api, ({ pages }) => {
  async function visit() {
    const member = await seedChainMember(api.deps);
    const visitor = createVisitor(pages);
    await visitor.begin({ accessToken: member.token, userId: member.userId });

    async function send(form: Record<string, string>) {
      const response = await visitor.post("/machine-id", { member: member.userId, ...form });
      return { status: response.status, body: (await response.json()) as unknown };
    }
    async function consent() {
      const { body } = await send({ intent: "request-smart-account" });
      const { typedData } = SmartAccountConsent.omit({ mode: true }).parse(body);
      const signature = await signAsWallet(member.wallet, typedData);
      return { intent: "create-smart-account", ...typedData.message, signature };
    }
    return {
      ...member,
      visitor,
      send,
      consent,
      sign: (data: DeployTypedData | ExecuteTypedData) => signAsWallet(member.wallet, data),
    };
  }

  // specification: 4.33, 4.35, 4.47, 4.48
  test("a member creates a Machine ID step by step, and every page shows the progress", async () => {
    const { consent, send, sign, visitor } = await visit();
    expect((await readPage(visitor, "/dashboard")).text).toContain("Create Smart Account");
    const before = await readPage(visitor, "/profile");
    expect(before.text).toContain("Wallet connected in the dashboard");
    expect(before.html).toMatch(/>\d+\/100</);
    expect(before.text).toContain("Signing needs your wallet, and a wallet needs JavaScript.");

    expect(await send(await consent())).toEqual({
      status: 200,
      body: { success: true, message: "Smart Account creation queued", status: "pending" },
    });
    expect((await readPage(visitor, "/dashboard")).text).toContain("Smart Account Creation Queued");
    await api.deps.chain.advance();
    expect((await readPage(visitor, "/dashboard")).text).toContain("Create Machine ID");

    const { body, status } = await send({ intent: "request-machine-id" });
    expect(status).toBe(200);
    const { typedData } = body as MachineIdResponse;
    if (!typedData) throw new Error("There is nothing to sign");
    expect((await readPage(visitor, "/profile")).text).toContain("Your Machine ID is ready to sign.");
    const answer = await send({ intent: "sign-machine-id", machineOwnerSignature: await sign(typedData) });
    expect(answer).toMatchObject({ status: 200, body: { data: { status: "pending" } } });
    expect((await readPage(visitor, "/dashboard")).text).toContain("Machine ID Creation in Progress");
    expect((await readPage(visitor, "/profile")).text).toContain("Machine ID creation in progress...");

    await api.deps.chain.advance();
    const done = await readPage(visitor, "/profile");
    expect(done.text).toContain("Machine ID creation completed!");
    expect(done.text).toContain(`did:peaq:${typedData.domain.verifyingContract}`);
    expect(done.text).toContain("Embedded ledger");
  });

  // specification: 5.10, 8.31, 8.34
  test("explains a refusal in the server's words, or in ours if it has none", async () => {
    const { consent, send } = await visit();
    const form = await consent();
    expect(await send({ ...form, signature: "" })).toEqual(refused(400, "Signature is required", "VALIDATION_ERROR"));
    expect(await send({ intent: "sign-machine-id" })).toEqual(
      refused(400, "Signature is required", "VALIDATION_ERROR"),
    );
    expect(await send({ intent: "sell" })).toMatchObject({ status: 400 });
    expect(await send({ ...form, signature: `0x${"11".repeat(64)}1b` })).toMatchObject({
      body: { error: "BAD_SIGNATURE" },
    });
    expect(await send({ intent: "request-machine-id" })).toMatchObject({ body: { error: "REQUIREMENTS_NOT_MET" } });

    const data = { machineAddress: "", target: "", calldata: "", nonce: "" };
    pages.override(createSmartAccount, () => Response.json({ success: false, message: "" }));
    expect(await send(form)).toEqual(refused(422, "Failed to create Smart Account", "API_ERROR"));
    pages.override(requestMachineId, () => Response.json({ success: false, message: "", data }));
    expect(await send({ intent: "request-machine-id" })).toEqual(
      refused(422, "Failed to initiate DID creation", "API_ERROR"),
    );
    pages.override(updateMachineIdSignature, () => Response.json({ success: false, message: "No.", data: {} }));
    expect(await send({ intent: "sign-machine-id", machineOwnerSignature: "0x1" })).toEqual(
      refused(422, "No.", "API_ERROR"),
    );
    expect(pages.log.error).not.toHaveBeenCalledWith(expect.anything(), "A form was refused");
    pages.override(createSmartAccount, () => Response.error());
    expect(await send(form)).toMatchObject({ status: 503, body: { error: "NETWORK_ERROR" } });
    expect(pages.log.error).toHaveBeenCalledWith(expect.anything(), "A form was refused");
  });

  // specification: 5.12
  test("refuses a signed-out or different member, and sign-in tells them to log in first", async () => {
    const { consent, token, userId, visitor } = await visit();
    const form = await consent();
    const begin = async (member: string) => {
      const response = await visitor.post("/machine-id", { ...form, member });
      return [response.status, response.headers.get("Location")];
    };
    expect(await begin("somebody else")).toEqual([401, "/machine-id"]);
    expect((await visitor.get("/machine-id")).headers.get("Location"), "there is no page").toBe(PAGE);

    await api.call(logout, { token });
    expect(await begin(userId)).toEqual([401, "/auth?redirectTo=%2Fprofile"]);
    expect((await readPage(visitor, "/auth")).text).toContain(LOGGED_OUT);
    expect(await begin(userId)).toEqual([401, "/auth?redirectTo=%2Fprofile"]);
  });

  // specification: 4.37
  test("if a status cannot be read, the page renders without the button", async () => {
    const { visitor } = await visit();
    for (const endpoint of [readSmartAccount, readMachineIdStatus]) {
      pages.override(endpoint, () => Response.error());
      const { status, text } = await readPage(visitor, "/rewards");
      expect(status).toBe(200);
      expect(text).not.toMatch(/Create Smart Account|Smart Account Creation Queued/);
    }
  });

  // specification: 8.38
  test("says that a completed Machine ID is not available if its record is missing", async () => {
    const { visitor } = await visit();
    pages.override(readSmartAccount, () =>
      Response.json({ success: true, smartAccount: "0x1", message: "", status: "completed", createdAt: null }),
    );
    pages.override(readMachineIdStatus, () => Response.json({ status: "completed" }));
    pages.override(readMachineIdentity, () => Response.json({ success: true, message: "", data: null }));
    expect((await readPage(visitor, "/profile")).text).toContain("Machine ID not available");
  });
});
