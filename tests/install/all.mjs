// Brings what the tests need beside the packages. One after the other, and in one process: Debian's packages are
// installed by one program at a time, and the lists of them are fetched once.
import "./chromium.mjs";
import "./engines.mjs";
import "./pgbouncer.mjs";
import "./haproxy.mjs";
import "./postgres.mjs";
import "./html-checker.mjs";
