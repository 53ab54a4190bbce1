// Installs the other engines for the journeys: Firefox, and WebKit with its driver and a display, from Debian's
// packages.
import { existsSync } from "node:fs";
import { installPackages } from "./apt.mjs";

const ENGINES = {
  Firefox: { files: ["/usr/bin/firefox-esr"], packages: ["firefox-esr"] },
  WebKit: { files: ["/usr/bin/WebKitWebDriver", "/usr/bin/Xvfb"], packages: ["webkit2gtk-driver", "xvfb"] },
};

const listMissing = () => Object.entries(ENGINES).filter(([, { files }]) => !files.every((file) => existsSync(file)));

const wanted = listMissing().flatMap(([, { packages }]) => packages);
if (wanted.length > 0) installPackages(...wanted);
for (const [name] of listMissing())
  console.log(`There is no ${name} here, nor can apt install it: the journeys in ${name} are skipped.`);
