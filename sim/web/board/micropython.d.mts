// The interpreter, which lies beside the page; for the type checker alone.
export { loadMicroPython } from "../page/micropython.mjs";
