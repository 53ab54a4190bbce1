import { expect, test } from "vitest";
import { unusedRouterPartsPlugin } from "./unused-router-parts.ts";

const { transform } = unusedRouterPartsPlugin();
const { handler } = transform as { handler: (code: string) => { code: string } };

test("a component that only has a name, and was only made, is no use of it", () => {
  const { code } = handler(
    [
      `const Link = React$1.forwardRef(function LinkWithRef() {`,
      `});`,
      `Link.displayName = "Link";`,
      `const Context = React.createContext(null);`,
      `Context.displayName = "Context";`,
      `const made = makeSomething();`,
    ].join("\n"),
  );
  expect(code.split("\n").filter(Boolean)).toEqual([
    `const Link = /* @__PURE__ */ React$1.forwardRef(function LinkWithRef() {`,
    `});`,
    `const Context = /* @__PURE__ */ React.createContext(null);`,
    `const made = makeSomething();`,
  ]);
});
