type Node = { type: string; [key: string]: unknown };
type Text = { value: string | { cooked: string | null } | null };
type Attribute = { name: { name: string }; parent: { name: { name?: string } } };
type Member = { object: { name?: string }; property: { name?: string } };
type Context = { report: (problem: { node: unknown; message: string }) => void };

/** Classes that engines treat differently, and what to write instead. */
const CLASSES: [isWrong: (classes: string) => boolean, message: string][] = [
  [
    (classes) => /(?:^|\s)has-\[\S*:empty/.test(classes),
    "WebKit does not look again at :has(:empty): let what may be empty hide itself.",
  ],
  [
    (classes) => /(?:^|\s)open:grid(?:\s|$)/.test(classes) && !classes.includes("open:content-start"),
    "WebKit stretches the grid of a dialog or popover: add open:content-start.",
  ],
];
const ROW = "WebKit takes no notice of a row's position: use translate-0.";
const COMMAND = "Safari has no commands, and no stylesheet can ask for them: use DialogTrigger and CloseDialog.";
/** Features that the oldest supported browsers lack. For the language itself, the compiler's `lib` checks this. */
const NEWER: Record<string, string> = { "URL.parse": "Chrome has URL.parse since 126: use URL.canParse and new URL." };

/** Forbids what one of the three engines does not support (decision 41). */
const alike = {
  create(context: Context) {
    function checkText(node: Node & Text) {
      const text = typeof node.value === "string" ? node.value : node.value?.cooked;
      if (typeof text !== "string") return;
      for (const [isWrong, message] of CLASSES) if (isWrong(text)) context.report({ node, message });
    }

    function checkAttribute(node: Node & Attribute) {
      const { name } = node.name;
      const element = node.parent.name.name ?? "";
      // Our own components may call any property a command.
      if (/^command(?:for)?$/i.test(name) && /^[a-z]/.test(element)) context.report({ node, message: COMMAND });
      const isRow = name === "rowClass" || (name === "className" && /^(?:tr|tbody|thead)$/.test(element));
      if (isRow && findTexts(node.value).some((text) => /(?:^|\s)relative(?:\s|$)/.test(text)))
        context.report({ node, message: ROW });
    }

    function checkMember(node: Node & Member) {
      const message = NEWER[`${node.object.name}.${node.property.name}`];
      if (message) context.report({ node, message });
    }

    return {
      MemberExpression: checkMember,
      Literal: checkText,
      TemplateElement: checkText,
      JSXAttribute: checkAttribute,
    };
  },
};

/** Returns every text within an expression. */
function findTexts(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, value } = node as Node & Text;
  if (type === "Literal") return typeof value === "string" ? [value] : [];
  if (type === "TemplateElement") return typeof value === "object" ? [value?.cooked ?? ""] : [];
  return Object.entries(node).flatMap(([key, child]) =>
    key === "parent" ? [] : Array.isArray(child) ? child.flatMap(findTexts) : findTexts(child),
  );
}

export default { meta: { name: "engines" }, rules: { alike } };
