import { expect, test } from "vitest";
import { handOffScript } from "../../app/hand-off.ts";
import { listEncodings } from "./database/dump-database.ts";
import { findSecrets } from "./find-secrets.ts";

test.each([
  ["a password", `first "phrase" <ä&'+%> in words`],
  ["a token", `nbs_${"aB-_".repeat(10)}xyz`],
  ["a code", "271828"],
  ["a bot-check token", `${"a".repeat(22)}.mabcdefg.${"b".repeat(43)}`],
])("finds %s in every encoding", (_, secret) => {
  const kept = JSON.stringify({ token: secret });
  const wrapped = [
    Buffer.from(kept).toString("base64url"),
    handOffScript(kept, "nonce"),
    JSON.stringify({ err: kept }),
  ];
  const planted = [...listEncodings(secret), ...wrapped].map((form) => [`{"msg":"${form}"}`, `<p>${form}</p>`]);
  for (const text of planted.flat()) expect([text, findSecrets(text, [secret])]).toEqual([text, [secret]]);
  expect(findSecrets(`{"msg":"20:49:00.271828 nbs_other 1271828"}`, [secret])).toEqual([]);
});
