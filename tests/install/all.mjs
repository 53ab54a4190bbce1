// Installs what the tests need in addition to the packages. One after the other, in one process: only one program can
// install Debian's packages at a time, and this way their lists are fetched once.
import "./chromium.mjs";
import "./engines.mjs";
import "./pgbouncer.mjs";
import "./haproxy.mjs";
import "./postgres.mjs";
import "./html-checker.mjs";
