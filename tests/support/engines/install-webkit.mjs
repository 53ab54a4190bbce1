// Brings a second engine for the journeys: WebKit with its driver, and a display for it, from Debian's packages.
import { existsSync } from "node:fs";
import { installPackages } from "../apt.mjs";

const present = () => existsSync("/usr/bin/WebKitWebDriver") && existsSync("/usr/bin/Xvfb");

if (!present()) installPackages("webkit2gtk-driver", "xvfb");
if (!present()) console.log("There is no WebKit here, nor can apt install it: what is tested in WebKit is skipped.");
