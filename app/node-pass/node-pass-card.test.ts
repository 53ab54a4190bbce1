import { afterAll, expect, test } from "vitest";
import { readNodePass, type NodePass } from "../../server/node-pass/contract.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { NODE_PASS_SAMPLE } from "../../tests/support/samples/node-pass-sample.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readPage } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const { holding, minting } = NODE_PASS_SAMPLE;

describePages(database, api, ({ pages, visitMember }) => {
  async function readProfile(answer?: () => Response) {
    if (answer) pages.override(readNodePass, answer);
    const { visitor } = await visitMember();
    return readPage(visitor, "/profile");
  }
  const readWith = async (part: Partial<NodePass>) =>
    (await readProfile(() => Response.json({ ...NODE_PASS_SAMPLE, ...part }))).text;
  const readMovers = (operators: string[] | null) => readWith({ holding: holding && { ...holding, operators } });
  const readMinting = (part: Partial<NonNullable<NodePass["minting"]>>) =>
    readWith({ minting: minting && { ...minting, ...part } });

  test("the profile does not mention node passes if none are configured or the call is missing", async () => {
    expect((await readProfile()).text).not.toContain("Node pass");
    const unknown = await readProfile(() => Response.json({ message: "Not found" }, { status: 404 }));
    expect(unknown.status).toBe(200);
    expect(unknown.text).not.toContain("Node pass");
  });

  test("says that the node pass cannot be read, and renders the rest of the page", async () => {
    const failure = { message: "Not now", error: "UNAVAILABLE", statusCode: 503 };
    const { status, html, text } = await readProfile(() => Response.json(failure, { status: 503 }));
    expect(status).toBe(200);
    expect(text).toContain("We cannot read your node pass right now.");
    expect(html).toMatch(/<a href="#node-pass">Node pass<.* id="node-pass"/s);
    expect(text).toContain("Where you are signed in");
  });

  test("shows the passes in the wallet, that it has none, or that no wallet is linked", async () => {
    const one = await readWith({});
    expect(one).toMatch(/Node pass Held In your wallet 1 Total passes 120 Collection Nodebeat Pass PASS /);
    expect(one).toMatch(/Pass #7 .* Activated Founder · minted 1 Nov 2026 · activated 2 Nov 2026 /);
    expect(one).toMatch(/ Contract 0x\w+ Owner 0x/);
    const none = await readWith({ holding: holding && { ...holding, balance: "0", tokens: [] } });
    expect(none).toMatch(/Node pass None In your wallet 0 .* Contract 0x\w+ Your wallet 0x/);
    expect(none).not.toMatch(/may move all of your passes/);
    const text = await readWith({ state: "no-wallet", wallet: null, contract: null, holding: null, minting: null });
    expect(text).toContain("Node pass A node pass belongs to a wallet. Link yours to see the passes in it.");
  });

  test("counts passes beyond those listed, and shortens huge numbers", async () => {
    const text = await readWith({ holding: holding && { ...holding, balance: "1234" } });
    expect(text).toContain("Showing 1 of 1.234.");
    const huge = "9".repeat(78);
    const listed = await readWith({ holding: holding && { ...holding, balance: huge, tokens: null } });
    expect(listed).toContain("999999…9999");
    expect(listed).toContain("This contract cannot list the passes of a wallet.");
  });

  test("says who else may move all passes", async () => {
    const mover = `0x${"ab".repeat(20)}`;
    expect(await readMovers([])).toContain("Nobody else may move all of your passes.");
    expect(await readMovers(null)).toContain("This contract cannot list who may move all of your passes.");
    expect(await readMovers([mover])).toContain(`Somebody else may move all of your passes ${mover}`);
  });

  test("says whether the wallet can mint a pass, and what that takes", async () => {
    expect(await readMinting({ canMint: null })).toContain("This contract does not say who can mint a pass.");
    expect(await readMinting({ canMint: false, whitelisted: false })).toContain("not on the list");
    expect(await readMinting({ canMint: false })).toContain("Your wallet cannot mint a pass at the moment.");
    expect(await readMinting({ canMint: true, ticketState: "not-needed" })).toContain(
      "You do not need a golden ticket.",
    );
    expect(await readMinting({ canMint: true, ticketState: "unavailable" })).toContain("we have none for you");
  });
});
