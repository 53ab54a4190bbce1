import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeDocument } from "../../tests/support/chain/did-document.ts";
import { encodeDocument } from "./did-document.ts";

const text = fc.oneof(fc.constant(""), fc.string({ unit: "grapheme", maxLength: 200 }));
const method = fc.record({ id: text, type: text, controller: text, publicKeyMultibase: text });
const service = fc.record({ id: text, type: text, serviceEndpoint: text, data: text });
const document = fc.record({
  id: text,
  controller: text,
  verificationMethods: fc.array(method),
  signature: fc.option(fc.record({ type: text, issuer: text, hash: text }), { nil: undefined }),
  services: fc.array(service),
  authentications: fc.array(text),
});

test("decoding an encoded document returns the same document, whatever it contains", () => {
  fc.assert(
    fc.property(document, (given) => {
      expect(decodeDocument(encodeDocument(given))).toEqual(given);
    }),
  );
});

function read(bytes: Uint8Array): string {
  try {
    return typeof decodeDocument(Buffer.from(bytes)).id;
  } catch (error) {
    return (error as Error).message;
  }
}

test("arbitrary bytes are either decoded or refused, and never read beyond their end", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(["string", "This is no identity document"]).toContain(read(bytes));
    }),
  );
});

test("encodes a document in the schema of the network", () => {
  const encoded = encodeDocument({
    id: "did:peaq:0x1",
    controller: "",
    verificationMethods: [],
    signature: undefined,
    services: [{ id: "#owner", type: "owner", serviceEndpoint: "", data: "0x2" }],
    authentications: ["k"],
  });
  // 1: id; 5: a service with 1: id, 2: type, 4: data; 6: an authentication.
  expect(encoded.toString("hex")).toBe(
    ["0a0c", text16("did:peaq:0x1"), "2a14", "0a06", text16("#owner"), "1205", text16("owner"), "2203", text16("0x2")]
      .concat("3201", text16("k"))
      .join(""),
  );
});

const text16 = (value: string) => Buffer.from(value).toString("hex");
