/*
 * The parts of PostgreSQL's wire protocol that are needed to forward it. Source: PostgreSQL documentation, "Message
 * Flow" and "Message Formats".
 */

const codeOf = (letter: string) => letter.charCodeAt(0);
/** Query, Sync, Flush and function call. After these, the client waits for an answer. */
const WAITS = new Set(["Q", "S", "H", "F"].map(codeOf));
const TERMINATE = codeOf("X");
/** Special version numbers in a startup message: a cancel request, and requests for encryption with TLS or GSS. */
const CANCEL = 80_877_102;
const ENCRYPTION = new Set([80_877_103, 80_877_104]);

/**
 * Messages for the engine, up to one after which the client waits, or a request that is answered without the engine.
 */
export type ClientRequest = Uint8Array | "refuse encryption" | "end";

/** Splits the bytes of one client, in whatever chunks they arrive, into requests. */
export class RequestReader {
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the first message starts that may be incomplete. */
  #position = 0;
  #started = false;

  *read(chunk: Buffer): Generator<ClientRequest, void> {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    for (let message = this.#next(); message; message = this.#next()) {
      if (!this.#started) yield this.#start(message);
      else if (message[0] === TERMINATE) {
        this.#take();
        yield "end";
      } else if (WAITS.has(message[0] ?? 0)) yield this.#take();
    }
  }

  #next(): Buffer | undefined {
    const header = this.#started ? 1 : 0;
    const start = this.#position;
    if (this.#bytes.length < start + header + 4) return undefined;
    const end = start + header + this.#bytes.readInt32BE(start + header);
    if (this.#bytes.length < end) return undefined;
    this.#position = end;
    return this.#bytes.subarray(start, end);
  }

  #start(message: Buffer): ClientRequest {
    const version = message.readInt32BE(4);
    const request = this.#take();
    if (version === CANCEL) return "end";
    if (ENCRYPTION.has(version)) return "refuse encryption";
    this.#started = true;
    return request;
  }

  /** Takes all complete messages that have not been taken yet. */
  #take(): Uint8Array {
    const taken = new Uint8Array(this.#bytes.subarray(0, this.#position));
    this.#bytes = this.#bytes.subarray(this.#position);
    this.#position = 0;
    return taken;
  }
}
