import { ADMINISTRATION_PAGES } from "../support/pages/shown-pages.ts";
import type { State } from "./states.ts";

const page = "/admin/*";
const person = { administrator: true };

/** What administrators see, with a new administrator for each state. */
export const ADMINISTRATION: readonly State[] = [
  ...ADMINISTRATION_PAGES.map((address) => ({
    page,
    person,
    name: address.slice("/admin/".length) || "overview",
    address,
  })),
  {
    page,
    person,
    name: "one member",
    address: "/admin/members",
    async show(tab) {
      await tab.click("main a[href^='/admin/members/']");
      await tab.see("main summary", "Block the member");
    },
  },
];
