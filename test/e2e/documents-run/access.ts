import { readFileSync } from 'node:fs';
import { root } from './blocks.js';

/** The allowed callers of each `Service/Method`, beside the desk and administrators; none where only those may call. */
export type Callers = Record<string, string[]>;

/** Reads the allowed callers from the tables of a document. Each table is below the heading of its service. */
export function callersInDocument(document: string): Callers {
  const callers: Callers = {};
  for (const section of readFileSync(`${root}/${document}`, 'utf8').split(/^### /m).slice(1)) {
    const service = section.slice(0, section.indexOf('\n'));
    for (const [, calls = '', names = ''] of section.matchAll(
      /^\| (`[^|]+`) \| ([a-z, -]+|\*administrators\*) \|$/gm,
    )) {
      const named = names.startsWith('*') ? [] : names.split(', ').sort();
      for (const [, call] of calls.matchAll(/`(\w+)`/g)) callers[`${service}/${call}`] = named;
    }
  }
  return callers;
}
