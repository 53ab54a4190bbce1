import type { Address } from "viem";

/* The identity document, in the protobuf encoding that the network's own tools read and write. */

type VerificationMethod = { id: string; type: string; controller: string; publicKeyMultibase: string };
type Service = { id: string; type: string; serviceEndpoint: string; data: string };
export type DidDocument = {
  id: string;
  controller: string;
  verificationMethods: VerificationMethod[];
  signature: { type: string; issuer: string; hash: string } | undefined;
  services: Service[];
  authentications: string[];
};

/** Wire type 2 of protobuf: every field here is a string or a message, which follows its length. */
const LENGTH_DELIMITED = 2;

/** Encodes a document, with the fields in the order of their numbers. */
export function encodeDocument(document: DidDocument): Buffer {
  const { signature } = document;
  return message(
    document.id,
    document.controller,
    document.verificationMethods.map(({ controller, id, publicKeyMultibase, type }) =>
      message(id, type, controller, publicKeyMultibase),
    ),
    signature ? [message(signature.type, signature.issuer, signature.hash)] : [],
    document.services.map(({ data, id, serviceEndpoint, type }) => message(id, type, serviceEndpoint, data)),
    document.authentications,
  );
}

/** Encodes fields, numbered from 1. Leaves out an empty string, and keeps every item of a list. */
function message(...fields: (string | (string | Buffer)[])[]): Buffer {
  const parts = fields.flatMap((field, index) => {
    const values = typeof field === "string" ? [field].filter(Boolean) : field;
    return values.flatMap((value) => {
      const content = Buffer.from(value);
      return [varint(((index + 1) << 3) | LENGTH_DELIMITED), varint(content.length), content];
    });
  });
  return Buffer.concat(parts);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

/** The suffix of the name of a machine's record. The network itself allows only one record of ours per machine. */
export const DID_TAG = "nodebeat";

const didOf = (address: Address) => `did:peaq:${address}`;
export const didNameOf = (machine: Address) => `${didOf(machine)}#${DID_TAG}`;

type MachineFacts = { machine: Address; owner: Address; issuer: Address; emailSignature: string };

/** Describes a member's machine: who owns it, and that we know their email address. */
export function describeMachine({ emailSignature, issuer, machine, owner }: MachineFacts): DidDocument {
  const id = didOf(machine);
  const key = { id: `${id}#keys-1`, type: "EcdsaSecp256k1RecoveryMethod2020" };
  return {
    id,
    controller: didOf(owner),
    verificationMethods: [{ ...key, controller: didOf(owner), publicKeyMultibase: owner }],
    signature: { type: key.type, issuer: didOf(issuer), hash: emailSignature },
    services: [
      { id: "#emailSignature", type: "emailSignature", serviceEndpoint: "", data: emailSignature },
      { id: "#owner", type: "owner", serviceEndpoint: "", data: owner },
    ],
    authentications: [key.id],
  };
}
