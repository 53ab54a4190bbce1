import { createMiddleware } from "hono/factory";
import { negotiate } from "../middleware/accept-encoding.ts";
import { requireRead } from "../middleware/only-read.ts";
import { AppError } from "../../errors.ts";
import { isApiPath, type HttpEnv } from "../http-env.ts";
import { isCurrent } from "./etag.ts";
import type { StaticFiles } from "./static-files.ts";

/** The smallest comes first: the build could take its time to compress. */
const PREFERRED = ["br", "zstd", "gzip"] as const;

/** Serves the build's files. Refuses files that do not exist without rendering a page. */
export function serveStatic(files: StaticFiles) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { method, path } = c.req;
    const file = files.get(path);
    if (!file) {
      if (!isMissingFile(path)) return next();
      throw new AppError("NOT_FOUND", "There is no such file.");
    }
    c.set("route", "file");
    requireRead(method);

    const encoding = negotiate(PREFERRED, c.req.header("accept-encoding"));
    const compressed = encoding && file.compressed[encoding];
    const { body, etag } = compressed ?? file.plain;
    const headers: Record<string, string> = { ETag: etag, "Cache-Control": file.cacheControl };
    if (Object.keys(file.compressed).length > 0) headers.Vary = "Accept-Encoding";
    if (isCurrent(c.req.header("if-none-match"), etag)) return new Response(null, { status: 304, headers });

    headers["Content-Type"] = file.type;
    headers["Content-Length"] = String(body.length);
    if (compressed && encoding) headers["Content-Encoding"] = encoding;
    return new Response(body, { headers });
  });
}

/**
 * Whether a path looks like a file: its last segment has an extension. `.data` is excluded, because React Router uses
 * it to load a page's data.
 */
function isMissingFile(path: string) {
  if (isApiPath(path)) return false;
  return path.startsWith("/assets/") || /\.(?!data$)[a-z\d]{1,12}$/i.test(path);
}
