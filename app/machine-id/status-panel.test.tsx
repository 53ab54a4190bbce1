import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { MachineIdState, SmartAccountState } from "../../server/machine-id/contract.ts";
import { readText } from "../../tests/support/pages/test-pages.ts";
import type { Creation } from "./creation.ts";
import { findStage } from "./stage.ts";
import { StatusPanel } from "./status-panel.tsx";

const ADDRESS = "0x4c1E8842c5d5b3bE0d2a4f5b7f1f7cbb7cA507d2";
const css = readFileSync(new URL("../ui/styles/tokens.css", import.meta.url), "utf8");

function render(
  status: SmartAccountState,
  machineIdState: MachineIdState | null,
  creation: Creation = { state: "idle" },
  hearsToasts = false,
) {
  const message = status === "failed" ? "Its number was used before." : "";
  const account = { success: true, smartAccount: null, message, status, createdAt: null };
  const machineId = { status: machineIdState };
  const stage = findStage(account, machineId);
  if (!stage) throw new Error("Both statuses are known");
  const props = { stage, account, machineId, address: ADDRESS, creation, onCreate: () => {}, hearsToasts };
  const html = renderToStaticMarkup(<StatusPanel {...props} />);
  const [, tone = ""] = /^<div class="[^"]*bg-(\w+)-soft/.exec(html) ?? [];
  const buttons = Array.from(html.matchAll(/<button[^>]*>(.*?)<\/button>/g), ([, label]) => label);
  const announced = /<p role="alert"[^>]*>(.*?)<\/p>/.exec(html)?.[1] ?? null;
  const title = /<h3[^>]*>(.*?)<\/h3>/.exec(html)?.[1];
  return { colour: nameColour(tone), title, text: readText(html), buttons, announced };
}

/** Names a colour by the hues of the tone, which are the same in both themes. */
function nameColour(tone: string) {
  const hues = Array.from(
    css.matchAll(new RegExp(`--color-${tone}-soft: oklch\\(\\S+ \\S+ (\\d+)\\)`, "g")),
    ([, hue]) => Number(hue),
  );
  expect(hues).toHaveLength(2);
  if (hues.every((hue) => hue > 135 && hue < 165)) return "green";
  return hues.every((hue) => hue > 240 && hue < 270) ? "blue" : "another";
}

// specification: 4.44, 4.45
test.each(["not_found", "failed"] as const)(
  "a green panel offers a Smart Account if all requirements are met and the account is %s",
  (status) => {
    expect(render(status, null)).toMatchObject({
      colour: "green",
      title: "All requirements met!",
      buttons: ["Create Smart Account"],
    });
  },
);

test("the green panel says why the network refused a Smart Account", () => {
  expect(render("failed", null).text).toContain("All requirements met! Its number was used before. Your wallet signs");
});

// specification: 4.46, 4.47, 4.48, 4.49, 4.50
test.each([
  ["pending", "Machine ID creation in progress...", []],
  ["completed", "Machine ID creation completed! 0x4c1E…07d2", ["Copy Machine ID"]],
  ["waiting_for_signature", "Your Machine ID is ready to sign.", ["Sign to create Machine ID"]],
  [null, "Ready to create your Machine ID", ["Create Machine ID"]],
] as const)("a blue panel shows the state of a Machine ID that is %s", (machineId, told, buttons) => {
  const panel = render("completed", machineId);
  expect(panel).toMatchObject({ colour: "blue", title: "Machine ID Status", buttons });
  expect(panel.text).toContain(told);
});

// specification: 4.51, 4.52
test.each<[Creation, string]>([
  [{ state: "idle" }, "All requirements met!"],
  [{ state: "creating", waitsForWallet: false }, "One moment…"],
  [{ state: "creating", waitsForWallet: true }, "Waiting for your wallet…"],
  [{ state: "success", kind: "smart-account" }, "Smart Account Creation Queued"],
  [{ state: "error", text: "Not today.", isToasted: false }, "Not today."],
])("shows the creation that is under way in this tab: %j", (creation, told) => {
  expect(render("not_found", null, creation).text).toContain(told);
});

test.each([
  { where: "beside toasts", isToasted: true, hearsToasts: true, announced: null },
  { where: "beside toasts", isToasted: false, hearsToasts: true, announced: "Not today." },
  { where: "under a dialog", isToasted: true, hearsToasts: false, announced: "Not today." },
])("announces a failure once $where, if a toast says the same: $isToasted", ({ isToasted, hearsToasts, announced }) => {
  const panel = render("not_found", null, { state: "error", text: "Not today.", isToasted }, hearsToasts);
  expect(panel.text).toContain("Not today.");
  expect(panel.announced).toBe(announced);
});
