// Installs the HTML checker, and from Debian's packages the Java that it runs on. Skips the package's own script, which
// would fetch Java from elsewhere.
import { existsSync } from "node:fs";
import { attempt, installPackages } from "./apt.mjs";
import { CHECKER, FOLDER, hasHtmlChecker, hasJava } from "../support/pages/html-checker.mjs";

if (!existsSync(CHECKER)) attempt("npm", "ci", "--prefix", FOLDER, "--ignore-scripts", "--no-audit", "--no-fund");
if (!hasJava()) installPackages("default-jre-headless");
if (!hasHtmlChecker())
  console.log("There is no Java here, nor can apt install it: whether pages are valid HTML is skipped.");
