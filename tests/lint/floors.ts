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

/** Returns a file's folder, such as `["app", "forms"]`, or undefined if it is in none of these. */
function findFolder(file: string, cwd: string, floors: Floors): [top: string, folder: string] | undefined {
  const [top = "", folder = "", ...rest] = relative(cwd, file).split(/[/\\]/);
  return Object.hasOwn(floors, top) && rest.length > 0 ? [top, folder] : undefined;
}

/**
 * Allows a folder to import only folders that are listed before it, from the bottom to the top. So two folders can
 * never import each other, nor many in a circle. Types count, because a reader follows them, too.
 */
const downwards = {
  // One list of folders for each top-level folder, from the bottom up.
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
