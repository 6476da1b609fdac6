// The interpreter, as far as the page uses it; for the type checker alone.
export function loadMicroPython(options: { heapsize: number; stdout: (text: string) => void }): Promise<any>;
