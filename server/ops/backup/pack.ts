import { createTarPacker } from "modern-tar";
import type { BackupFile } from "../../db/embedded/base-backup.ts";

const MODE = { file: 0o600, directory: 0o700 };

/** Packs files into a tar stream as it is read. Any error on the way reaches the reader. */
export async function* packFiles(files: AsyncIterable<BackupFile>): AsyncGenerator<Uint8Array> {
  const { controller, readable } = createTarPacker();
  const packing = (async () => {
    for await (const { name, size, content } of files) {
      const type = name.endsWith("/") ? "directory" : "file";
      const writer = controller.add({ name, size, type, mode: MODE[type] }).getWriter();
      for await (const chunk of content) await writer.write(chunk);
      await writer.close();
    }
    controller.finalize();
  })();
  packing.catch((error: unknown) => controller.error(error));
  yield* readable;
  await packing;
}
