import { dirname, relative, resolve } from "node:path";

type Floors = Record<string, string[]>;
type Specifier = { type: string; value?: unknown };
type Importing = { source: Specifier | null };
type Context = {
  cwd: string;
  filename: string;
  options: [Floors];
  report: (problem: { node: unknown; message: string }) => void;
};

/** Where a file stands, such as `["app", "forms"]`; undefined for what stands in no folder of these. */
function findFolder(file: string, cwd: string, floors: Floors): [top: string, folder: string] | undefined {
  const [top = "", folder = "", ...rest] = relative(cwd, file).split(/[/\\]/);
  return Object.hasOwn(floors, top) && rest.length > 0 ? [top, folder] : undefined;
}

/**
 * A folder imports only those that are named before its own, from the bottom to the top of the house. Two can never
 * import each other that way, nor can many in a circle. Types count: a reader follows them too.
 */
const downwards = {
  // One list of folders for each of the top ones, from the bottom up.
  meta: { schema: [{ type: "object", additionalProperties: { type: "array", items: { type: "string" } } }] },
  create(context: Context) {
    const { cwd, filename, options } = context;
    const [floors] = options;
    const here = findFolder(filename, cwd, floors);
    if (!here) return {};
    const [top, folder] = here;
    const order = floors[top] ?? [];

    function check(node: Importing) {
      if (typeof node.source?.value !== "string" || !node.source.value.startsWith(".")) return;
      const [otherTop, other] = findFolder(resolve(dirname(filename), node.source.value), cwd, floors) ?? [];
      if (otherTop !== top || other === undefined || other === folder) return;
      if (order.indexOf(other) >= 0 && order.indexOf(other) < order.indexOf(folder)) return;
      const message = order.includes(folder)
        ? `${top}/${folder} may not import ${top}/${other}, which does not stand below it.`
        : `${top}/${folder} stands on no floor yet: give it its place in .oxlintrc.json.`;
      context.report({ node, message });
    }

    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

export default { meta: { name: "floors" }, rules: { downwards } };
