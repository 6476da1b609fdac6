// Written by sim/web/bundle.py: the languages there are, each by what its speakers call it.
export const LANGUAGES: Record<string, string>;
