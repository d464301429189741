// The workflow parser imports its schema as JSON in a way that Node 20 refuses; esbuild puts it all into one file.
// The bundle is written under another name and moved into place, so that two test runs do not meet half a file.
import { renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const bundle = here("node_modules/.cache/nightgrid/parse.cjs");
const unfinished = `${bundle}.${process.pid}`;

try {
  buildSync({
    entryPoints: [here("parse.mjs")],
    outfile: unfinished,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "warning",
  });
  renameSync(unfinished, bundle);
} finally {
  rmSync(unfinished, { force: true });
}
