import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { HydrateReads } from "../cache/hydrate-reads.tsx";
import { QueryProvider } from "../cache/query-provider.tsx";
import { ChangeButton } from "./wallet-card.tsx";

test.each([
  [{ eligible: true, message: "The wallet can be changed once." }, "Change wallet"],
  [{ changesLeft: 1, message: null }, "Change wallet"],
  [{ eligible: false, message: null }, ""],
])("the wallet can be changed unless the backend says that it cannot: %j", (answer, words) => {
  const html = renderToStaticMarkup(
    <QueryProvider member="0192-user" onSignedOut={() => {}} isOver={() => false} onResponse={() => {}}>
      <HydrateReads carried={{ at: 1, reads: [[["wallet-change-eligibility", {}], answer]] }}>
        <ChangeButton />
      </HydrateReads>
    </QueryProvider>,
  );
  expect(html.replaceAll(/<[^>]*>/g, "")).toBe(words);
});
