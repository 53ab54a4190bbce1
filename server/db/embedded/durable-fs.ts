import fs from "node:fs";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type Init = Parameters<NodeFS["init"]>;
type EngineModule = Parameters<NonNullable<Init[1]["preRun"]>[number]>[0];
type Stream = { nfd?: unknown };
type NodeFsInternals = {
  tryFSOperation: (run: () => number) => number;
  stream_ops: Record<string, unknown> & { fsync?: (stream: Stream) => number };
};

/**
 * PGlite's folder on disk, with an fsync that reaches the disk. Stock PGlite has none: it reports success for every
 * fsync of PostgreSQL without writing anything, so a power cut loses acknowledged commits.
 */
export class DurableNodeFs extends NodeFS {
  /** How often something was forced to disk. */
  syncs = 0;

  override async init(...[pg, options]: Init) {
    const { emscriptenOpts } = await super.init(pg, options);
    const addFsync = (module: EngineModule) => this.#addFsync(findNodeFs(module));
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } };
  }

  #addFsync(nodeFs: NodeFsInternals) {
    nodeFs.stream_ops.fsync = ({ nfd }) => {
      if (typeof nfd !== "number") throw new Error("PGlite keeps its file descriptors elsewhere than expected");
      this.syncs += 1;
      return nodeFs.tryFSOperation(() => {
        fs.fdatasyncSync(nfd);
        return 0;
      });
    };
  }
}

/** Finds the engine's file system. It is not a public interface of PGlite, so its shape is checked first. */
function findNodeFs(module: EngineModule): NodeFsInternals {
  const nodeFs: unknown = module.FS.filesystems.NODEFS;
  if (isNodeFs(nodeFs)) return nodeFs;
  throw new Error("This version of PGlite cannot be made durable: its file system has another shape than expected");
}

function isNodeFs(value: unknown): value is NodeFsInternals {
  if (typeof value !== "object" || value === null) return false;
  if (!("tryFSOperation" in value) || typeof value.tryFSOperation !== "function") return false;
  if (!("stream_ops" in value) || typeof value.stream_ops !== "object" || value.stream_ops === null) return false;
  const streams = value.stream_ops;
  return "open" in streams && "write" in streams && !("fsync" in streams);
}
