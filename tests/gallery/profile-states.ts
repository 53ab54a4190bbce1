import type { State } from "./states.ts";

/** Forms of the profile that refuse what was typed, ask for a code, or ask again. */
export const PROFILE: readonly State[] = [
  {
    page: "/profile",
    name: "Wrong current password",
    person: "Full member",
    async show(tab) {
      await tab.fill("[name=currentPassword]", "not my password");
      await tab.fill("#password [name=password]", "a long pass phrase");
      await tab.click("#password button", "Change password");
      await tab.see("[name=currentPassword][aria-invalid=true]");
    },
  },
  {
    page: "/profile",
    name: "Not a website",
    person: "Full member",
    async show(tab) {
      await tab.fill("#details [name=website]", "javascript:alert(1)");
      await tab.click("#details button", "Save");
      await tab.see("[name=website][aria-invalid=true]");
    },
  },
  {
    page: "/profile",
    name: "Code to type",
    person: {},
    async show(tab) {
      await tab.fill("#campaign-mail [type=email]", `${crypto.randomUUID()}@nodebeat.test`);
      await tab.click("#campaign-mail form:has([type=email]) button");
      await tab.see("#campaign-mail [autocomplete=one-time-code]");
    },
  },
  {
    page: "/profile",
    name: "Key to revoke",
    person: {},
    async show(tab) {
      await tab.fill("#devices [name=name]", "Attic");
      await tab.click("#devices button", "Create a key and show the command");
      await tab.click("#devices li summary");
      await tab.see("#devices li button");
    },
  },
];
