// city_unit/host/web/city_unit.js, as far as the page uses it; for the type checker alone.

export function seal(text: string): string;

export class CityUnit {
  constructor(say: (line: string) => unknown, options?: { watch?: boolean });
  online: boolean;
  about: { boot: number; version: string; body: string; name: string } | null;
  snapshot: Record<string, any> | null;
  on(what: string, call: (news: any) => void): void;
  send(command: string): Promise<string>;
  opened(): void;
  lost(why: string): void;
  receive(text: string): void;
  step(): void;
  close(): void;
}
