import type { RouteConfigEntry } from "@react-router/dev/routes";
import {
  UNSAFE_withComponentProps as withComponentProps,
  UNSAFE_withErrorBoundaryProps as withErrorBoundaryProps,
  type ServerBuild,
} from "react-router";
import * as entry from "../../../app/entry.server.tsx";
import routes from "../../../app/routes.ts";

type ServerRoute = NonNullable<ServerBuild["routes"][string]>;
type RouteModule = ServerRoute["module"];
/** A route module as written: its components take the props that the build will pass them. */
type SourceModule = Omit<RouteModule, "default" | "ErrorBoundary"> & {
  default?: Parameters<typeof withComponentProps>[0];
  ErrorBoundary?: Parameters<typeof withErrorBoundaryProps>[0];
};

const modules = import.meta.glob<SourceModule>(["/app/**/*.route.{ts,tsx}", "/app/root.tsx"], { eager: true });

/**
 * Creates what `react-router build` makes of the route table, without building: the same modules, rendered and run by
 * the same request handler. Script addresses lead nowhere, because nothing runs in a browser.
 */
export function createServerBuild(): ServerBuild {
  const built = [
    toRoute({ file: "root.tsx", id: "root", path: "" }),
    ...routes.flatMap((route) => toRoutes(route, "root")),
  ];
  const byId = Object.fromEntries(built.map((route) => [route.id, route]));
  return {
    entry: { module: entry },
    routes: byId,
    assets: {
      entry: { module: "/entry.js", imports: [] },
      routes: Object.fromEntries(built.map((route) => [route.id, toManifest(route)])),
      url: "/manifest.js",
      version: "test",
    },
    publicPath: "/",
    assetsBuildDirectory: "build/client",
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: "initial", manifestPath: "/__manifest" },
    // As in server/pages.ts: the server in front of the pages checks origins.
    allowedActionOrigins: ["**"],
  };
}

function toRoutes(route: RouteConfigEntry, parentId: string): ServerRoute[] {
  const self = toRoute(route, parentId);
  return [self, ...(route.children ?? []).flatMap((child) => toRoutes(child, self.id))];
}

function toRoute({ file, id, index, path }: RouteConfigEntry, parentId?: string): ServerRoute {
  const module = modules[`/app/${file}`];
  if (!module) throw new Error(`app/routes.ts names ${file}, which does not exist`);
  return { id: id ?? file.replace(/\.tsx?$/, ""), path, index, parentId, module: withProps(module) };
}

/** Wraps components as the build does, so that they get their loader's data. */
function withProps({ default: Component, ErrorBoundary, ...module }: SourceModule): RouteModule {
  return {
    ...module,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a route without a component serves data, which the type does not allow for
    default: (Component && withComponentProps(Component)) as RouteModule["default"],
    ErrorBoundary: ErrorBoundary && withErrorBoundaryProps(ErrorBoundary),
  };
}

function toManifest({ id, index, module, parentId, path }: ServerRoute): ServerBuild["assets"]["routes"][string] {
  return {
    id,
    index,
    parentId,
    path,
    module: `/${id}.js`,
    hasAction: "action" in module,
    hasLoader: "loader" in module,
    hasErrorBoundary: module.ErrorBoundary !== undefined,
    hasClientAction: false,
    hasClientLoader: "clientLoader" in module,
    hasClientMiddleware: false,
    clientActionModule: undefined,
    clientLoaderModule: undefined,
    clientMiddlewareModule: undefined,
    hydrateFallbackModule: undefined,
  };
}
