import { generateKeyPairSync, randomBytes, sign, X509Certificate, type KeyObject } from "node:crypto";
import { isIP } from "node:net";

/*
 * Creates certificates as a real authority does (X.509, ECDSA on P-256), in a millisecond and without another program.
 */

export type Certified = { cert: string; key: string };
type Authority = Certified & { name: string };

type Wanted = {
  /** The host name or IP address to certify. Of IPv6, only this machine's own. */
  host: string;
  /** Self-signed unless given. */
  issuer?: Authority | undefined;
  from?: Date;
  until?: Date;
};

const DAY = 24 * 60 * 60 * 1000;

/** Creates a certificate authority. */
export function createAuthority(name: string): Authority {
  const made = issue({ name, extensions: [extension(OID.basicConstraints, sequence(der(0x01, Buffer.from([0xff]))))] });
  return { ...made, name };
}

/** Creates a server's certificate and its key. */
export function createCertificate({ host, ...more }: Wanted): Certified {
  const address =
    host === "::1" ? Array.from({ length: 16 }, (_, index) => Number(index === 15)) : host.split(".").map(Number);
  const alternative = isIP(host) ? der(0x87, Buffer.from(address)) : der(0x82, Buffer.from(host));
  return issue({ name: host, extensions: [extension(OID.subjectAltName, sequence(alternative))], ...more });
}

type Issuing = Omit<Wanted, "host"> & { name: string; extensions: Buffer[] };

function issue({ name, extensions, issuer, from, until }: Issuing): Certified {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const signature = sequence(oid(OID.ecdsaWithSha256));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    signature,
    nameOf(issuer?.name ?? name),
    sequence(time(from ?? new Date(Date.now() - DAY)), time(until ?? new Date(Date.now() + 90 * DAY))),
    nameOf(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions)),
  );
  const signed = bits(signWith(issuer?.key ?? privateKey, content));
  return { key, cert: new X509Certificate(sequence(content, signature, signed)).toString() };
}

const signWith = (key: KeyObject | string, content: Buffer) => sign("sha256", content, key);

const OID = {
  commonName: "550403",
  subjectAltName: "551d11",
  basicConstraints: "551d13",
  ecdsaWithSha256: "2a8648ce3d040302",
};

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const bits = (content: Buffer) => der(0x03, Buffer.concat([Buffer.from([0]), content]));
const extension = (id: string, content: Buffer) => sequence(oid(id), der(0x04, content));
const nameOf = (name: string) => sequence(der(0x31, sequence(oid(OID.commonName), der(0x0c, Buffer.from(name)))));
/** Encodes a time as `YYYYMMDDHHMMSSZ`. */
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]|\.\d+Z/g, "")}Z`));
