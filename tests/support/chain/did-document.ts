import type { DidDocument } from "../../../server/machine-id/did-document.ts";

/** Wire type 2 of protobuf: every field here is a text or a message, preceded by its length. */
const LENGTH_DELIMITED = 2;

/** Reads what `encodeDocument` writes. Throws for anything else. */
export function decodeDocument(encoded: Buffer): DidDocument {
  const fields = readFields(encoded);
  const [signature] = fields(4).map(readFields);
  return {
    id: text(fields(1)),
    controller: text(fields(2)),
    verificationMethods: fields(3)
      .map(readFields)
      .map((of) => ({ id: text(of(1)), type: text(of(2)), controller: text(of(3)), publicKeyMultibase: text(of(4)) })),
    signature: signature && { type: text(signature(1)), issuer: text(signature(2)), hash: text(signature(3)) },
    services: fields(5)
      .map(readFields)
      .map((of) => ({ id: text(of(1)), type: text(of(2)), serviceEndpoint: text(of(3)), data: text(of(4)) })),
    authentications: fields(6).map(String),
  };
}

const text = (values: Buffer[]) => String(values.at(-1) ?? "");

/** Returns a function that gives the values of a message by field number. */
function readFields(encoded: Buffer): (field: number) => Buffer[] {
  const values = new Map<number, Buffer[]>();
  for (let offset = 0; offset < encoded.length;) {
    const tag = readVarint(encoded, offset);
    const length = readVarint(encoded, tag.end);
    const end = length.end + length.value;
    if ((tag.value & 7) !== LENGTH_DELIMITED || end > encoded.length) throw new Error("This is no identity document");
    const field = tag.value >>> 3;
    values.set(field, [...(values.get(field) ?? []), encoded.subarray(length.end, end)]);
    offset = end;
  }
  return (field) => values.get(field) ?? [];
}

function readVarint(encoded: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let [offset, shift] = [start, 0]; shift < 35; offset += 1, shift += 7) {
    const byte = encoded[offset];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, end: offset + 1 };
  }
  throw new Error("This is no identity document");
}
