import { readFileSync } from 'node:fs';
import { root } from './blocks.js';

/** The allowed callers of each `Service/Method`, except the desk and administrators, who may call what all teams may. */
export type Callers = Record<string, string[]>;

/** Reads the allowed callers from the tables of a document. Each table is below the heading of its service. */
export function callersInDocument(document: string): Callers {
  const callers: Callers = {};
  for (const section of readFileSync(`${root}/${document}`, 'utf8').split(/^### /m).slice(1)) {
    const service = section.slice(0, section.indexOf('\n'));
    for (const [, calls = '', names = ''] of section.matchAll(/^\| (`[^|]+`) \| ([a-z, -]+) \|$/gm)) {
      for (const [, call] of calls.matchAll(/`(\w+)`/g)) callers[`${service}/${call}`] = names.split(', ').sort();
    }
  }
  return callers;
}
