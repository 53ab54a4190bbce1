import { afterAll, expect, test } from "vitest";
import { logout } from "../../../server/sessions/contract.ts";
import {
  changeWallet,
  linkWallet,
  readWalletMessage,
  WalletMessage,
  writeWalletText,
} from "../../../server/wallet/contract.ts";
import { createTestApi } from "../../../tests/support/api/api.ts";
import { newWallet } from "../../../tests/support/chain/new-wallet.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { describePages, readPage, type Visitor, listUnreadMessages } from "../../../tests/support/pages/test-pages.ts";
import { AUTH_EVENT } from "../../api/auth-event.ts";
import { NOT_AS_SHOWN } from "./not-as-shown.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const request = (address: string) => ({ intent: "request", address, origin: "http://nodebeat.test" });

/** Returns the fields that the island puts into the form, with the line breaks of forms. */
async function sign(visitor: Visitor, purpose: "link" | "change" = "link", wallet = newWallet()) {
  const response = await visitor.post(`/wallet/${purpose}`, request(wallet.address));
  const { message } = WalletMessage.parse(await response.json());
  const signature = await wallet.signMessage({ message });
  return { intent: "submit", address: wallet.address, message: message.replaceAll("\n", "\r\n"), signature };
}

async function send(visitor: Visitor, purpose: "link" | "change", form: Record<string, string>) {
  const response = await visitor.post(`/wallet/${purpose}`, form);
  return { status: response.status, body: (await response.json()) as unknown };
}

const refused = (status: number, message: string) => ({ status, body: expect.objectContaining({ message }) });

describePages(database, api, ({ pages, visitMember }) => {
  test("links a wallet and changes it, and the profile shows its state", async () => {
    const { visitor } = await visitMember();
    const before = await readPage(visitor, "/profile");
    expect(before.text).toContain("Not linked");
    expect(before.text).toContain("Connecting and signing need JavaScript and a wallet");

    const first = newWallet();
    expect(await send(visitor, "link", await sign(visitor, "link", first))).toEqual({
      status: 200,
      body: {},
    });
    expect(listUnreadMessages(visitor, AUTH_EVENT).at(-1)).toBe("USER_UPDATED");
    const linked = await readPage(visitor, "/profile");
    expect(linked.text).toContain(first.address);
    expect(linked.text).toContain("The wallet can be changed once.");

    expect(await send(visitor, "change", await sign(visitor, "change"))).toEqual({
      status: 200,
      body: {},
    });
    expect((await readPage(visitor, "/profile")).text).toContain("You have already changed your wallet.");
  });

  // specification: 5.10, 7.27, 8.23, 8.24, 8.25
  test("explains why a signature is refused, in the server's words or our own", async () => {
    const { visitor } = await visitMember();
    const form = await sign(visitor);

    expect(await send(visitor, "link", { ...form, signature: "" })).toEqual(refused(400, "Signature is required"));
    const other = await sign(visitor);
    expect(await send(visitor, "link", { ...form, signature: other.signature })).toEqual(
      refused(400, "The signature is not from this wallet. Please start again."),
    );
    pages.override(linkWallet, () => Response.json({ success: false, message: "No" }));
    expect(await send(visitor, "link", form)).toEqual(refused(422, "Failed to link wallet"));
    pages.override(linkWallet, () => Response.error());
    expect(await send(visitor, "link", form)).toEqual(refused(503, "An error occurred while linking your wallet"));
    pages.override(changeWallet, () => Response.error());
    expect(await send(visitor, "change", form)).toEqual(refused(503, "Failed to change wallet"));
    pages.override(changeWallet, () => Response.json({ success: false, message: "Not this one." }));
    expect(await send(visitor, "change", form)).toEqual(refused(422, "Not this one."));
    pages.override(changeWallet, () => Response.json({ success: false }));
    expect(await send(visitor, "change", form)).toEqual(refused(422, "Failed to change wallet"));
    pages.override(changeWallet, () => Response.json({ message: "Ask us first." }, { status: 409 }));
    expect(await send(visitor, "change", form)).toEqual(refused(409, "Ask us first."));
  });

  test("asks a wallet to sign only our own text for its account and this page, whatever the backend sends", async () => {
    const { visitor } = await visitMember();
    const { address } = newWallet();
    const ours = { address, purpose: "link", origin: "http://nodebeat.test", nonce: "a1b2c3d4" } as const;
    const expiresAt = new Date("2026-11-20T14:20:00.000Z");
    const write = (other: Partial<Parameters<typeof writeWalletText>[0]> = {}) =>
      writeWalletText({ ...ours, expiresAt, ...other });
    let message: unknown = write();
    const answer = () => Response.json({ nonce: ours.nonce, message, expiresAt: expiresAt.toISOString() });
    pages.override(readWalletMessage, answer);
    const ask = () => send(visitor, "link", request(address.toLowerCase()));
    expect(await ask()).toMatchObject({ status: 200, body: { message } });
    expect(pages.log.error).not.toHaveBeenCalled();

    for (const [lie, text] of Object.entries({
      "another page": write({ origin: "https://elsewhere.test" }),
      "another domain": write().replace("nodebeat.test wants", "elsewhere.test wants"),
      "another address of the page": write().replace("URI: http://nodebeat.test", "URI: https://elsewhere.test"),
      "another account": write({ address: newWallet().address }),
      "another network": write().replace("Chain ID: 3338", "Chain ID: 1"),
      "another purpose": write({ purpose: "change" }),
      "another text": write().replace("This permanently links", "I give away what I own. This permanently links"),
      "a delegation": `${write()}\nResources:\n- urn:recap:eyJhdHQiOnt9fQ`,
      "a time that is none": write().replace(expiresAt.toISOString(), "never"),
      "no such message": "I give away what I own.",
      "no text": 7,
    })) {
      message = text;
      expect({ lie, ...(await ask()) }).toEqual({ lie, ...refused(500, NOT_AS_SHOWN) });
    }
    const wasWritten = expect.objectContaining({ cause: expect.any(Error) });
    expect(pages.log.error).toHaveBeenLastCalledWith({ err: wasWritten }, "A form was refused");
  });

  test("a form that names no origin gets a text for the address that it was sent to", async () => {
    const { visitor } = await visitMember();
    const { origin: _, ...form } = request(newWallet().address);
    const { status, body } = await send(visitor, "link", form);
    expect(status).toBe(200);
    expect(WalletMessage.parse(body).message).toContain("URI: http://nodebeat.test\n");
  });

  // specification: 5.11
  test("a member who was signed out in the meantime is told so on the sign-in page", async () => {
    const { visitor, token } = await visitMember();
    const form = await sign(visitor);
    await api.call(logout, { token });
    for (const late of [form, request(form.address)]) {
      await visitor.begin({ accessToken: token });
      const response = await visitor.post("/wallet/link", late);
      expect(response.status).toBe(401);
      expect(response.headers.get("Location")).toBe("/auth?redirectTo=%2Fprofile");
      expect((await readPage(visitor, "/auth")).text).toContain("You must be logged in to link a wallet");
    }
  });

  test("the profile renders without the change eligibility, and with the wallet from the cookie", async () => {
    const { visitor } = await visitMember();
    await send(visitor, "link", await sign(visitor));
    pages.override({ method: "GET", path: "/api/users/wallet-change-eligibility" }, () => Response.error());
    const { status, text } = await readPage(visitor, "/profile");
    expect(status).toBe(200);
    expect(text).toContain("Connect wallet");
    expect(text).not.toContain("Reconnecting…");

    visitor.cookies.set("wallet", newWallet().address);
    expect((await readPage(visitor, "/profile")).text).toContain("Reconnecting…");
    visitor.cookies.set("wallet", "nonsense");
    expect((await readPage(visitor, "/profile")).text).not.toContain("Reconnecting…");
  });

  test("opening the form's address redirects to the profile, and an unknown purpose is not found", async () => {
    const { visitor } = await visitMember();
    expect((await visitor.get("/wallet/link")).headers.get("Location")).toBe("/profile#wallet");
    expect((await visitor.post("/wallet/sell", {})).status).toBe(404);
  });
});
