// Runs a script on the 32-bit MicroPython: node wasm.mjs MODULE JOB, JOB being a JSON
// file with `heap` (bytes), `files` {path there: path here} and `code`. This port
// collects its garbage only while nothing runs: a line `# then` in the code is such a pause.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module, job] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(module).href);
const { heap, files, code } = JSON.parse(readFileSync(job, "utf8"));
const lines = [];
const mp = await loadMicroPython({
    heapsize: heap,
    linebuffer: true,
    stdout: (line) => lines.push(line),
});
for (const [path, source] of Object.entries(files)) {
    const folders = ["lib", ...path.split("/").slice(0, -1)];
    for (let depth = 1; depth <= folders.length; depth++) {
        const folder = "/" + folders.slice(0, depth).join("/");
        if (!mp.FS.analyzePath(folder).exists) mp.FS.mkdir(folder);
    }
    mp.FS.writeFile("/lib/" + path, readFileSync(source));
}
try {
    mp.runPython("import sys; sys.path.insert(0, '/lib')");
    for (const part of code.split("\n# then\n")) mp.runPython(part);
} catch (error) {
    console.error(error.message);
    process.exitCode = 1;
}
process.stdout.write(lines.join("\n") + "\n");
