import { expect, test } from "vitest";
import { fillForm, seedMember, TEST_PASSWORD, type TestResponse } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import type { Endpoint } from "../http/contract.ts";
import { checkUser, forgotPassword, login, resendPasswordReset, resendVerification, signUp } from "./contract.ts";

const { api, clock } = await openTestApi();
const ADDRESSES = ["known@nodebeat.test", "unknown@nodebeat.test"] as const;

/** Replaces what may differ between any two responses: their tokens and timestamps. */
function describe({ status, headers, body }: TestResponse) {
  const text = JSON.stringify(body)
    .replaceAll(/nb[a-z]_[\w-]{43}/g, "a token")
    .replaceAll(/"timestamp":\d+/g, "an instant");
  return { status, headers: [...headers], text };
}

/** Sends a form for both addresses in turn, `count` times each, and returns the responses. */
async function askFor(send: (email: string) => Promise<TestResponse>, count: number) {
  await seedMember(api.deps, { email: ADDRESSES[0] });
  const [known, unknown] = [[], []] as [object[], object[]];
  for (let index = 0; index < count; index++) {
    known.push(describe(await send(ADDRESSES[0])));
    unknown.push(describe(await send(ADDRESSES[1])));
  }
  return { known, unknown };
}

const withStatus = (statuses: number[]) => statuses.map((status) => ({ status }));

const times = (count: number, status: number) => Array.from({ length: count }, () => status);

const FORMS: [string, Endpoint, object, number[]][] = [
  ["sign-in", login, { password: "not the password" }, [...times(10, 401), ...times(2, 429)]],
  ["sign-in with nonsense", login, { password: "x" }, [400]],
  ["sign-up", signUp, { password: TEST_PASSWORD }, [...times(5, 200), ...times(2, 429)]],
  ["sign-up with a common password", signUp, { password: "password" }, [400]],
  ["sign-up with an unknown referral code", signUp, { password: TEST_PASSWORD, referralCode: "ABCDE" }, [400]],
  ["check-user", checkUser, {}, times(3, 200)],
  ["forgot", forgotPassword, {}, times(8, 200)],
];

test.for(FORMS)("%s responds the same for a known and an unknown address", async ([, endpoint, input, statuses]) => {
  const { known, unknown } = await askFor(async (email) => {
    const body = { email, ...input, turnstileToken: await fillForm(api, clock) };
    return api.call(endpoint, { body });
  }, statuses.length);
  expect(known).toEqual(unknown);
  expect(known).toMatchObject(withStatus(statuses));
});

const RESENDS: [string, Endpoint, Endpoint, object][] = [
  ["a sign-up", signUp, resendVerification, { password: TEST_PASSWORD }],
  ["a forgotten password", forgotPassword, resendPasswordReset, {}],
];

test.for(RESENDS)(
  "a resend for %s responds the same for a known and an unknown address",
  async ([, ask, again, input]) => {
    const tokens = new Map<string, string>();
    const waits = [0, 60_000, 0];
    const { known, unknown } = await askFor(async (email) => {
      const token = tokens.get(email);
      if (token !== undefined) {
        const answer = await api.call(again, { body: { token } });
        if (email === ADDRESSES[1]) clock.advance(waits.shift() ?? 0);
        return answer;
      }
      const first = await api.call(ask, { body: { email, ...input, turnstileToken: await fillForm(api, clock) } });
      tokens.set(email, Object.values(first.body as Record<string, string>)[0] ?? "");
      return first;
    }, 4);
    expect(known).toEqual(unknown);
    expect(known).toMatchObject(withStatus([200, 429, 429, 200]));
  },
);

test.for(RESENDS)(
  "past the email limit, %s and its resend respond the same for known and unknown addresses",
  async ([, ask, again, input]) => {
    const tokens: string[] = [];
    for (const address of ADDRESSES) {
      for (let index = 0; index < 5; index++) {
        await api.call(forgotPassword, { body: { email: address, turnstileToken: await fillForm(api, clock) } });
      }
    }
    const send = async (email: string) => {
      const answer = await api.call(ask, { body: { email, ...input, turnstileToken: await fillForm(api, clock) } });
      tokens.push(Object.values(answer.body as Record<string, string>)[0] ?? "");
      return answer;
    };
    const { known, unknown } = await askFor(send, 1);
    expect(known).toEqual(unknown);
    expect(known).toMatchObject(withStatus([200]));
    clock.advance(60_000);
    const resent = [];
    for (const token of tokens) resent.push(describe(await api.call(again, { body: { token } })));
    expect(resent[0]).toEqual(resent[1]);
    expect(resent).toMatchObject(withStatus([200, 200]));
  },
);
