import { deadlineIn, readPieces } from '@knowledge/runtime/client';
import { terminalSafeLine, terminalSafeText, words } from '../base/text.js';
import type { PersonServices } from './person.js';

/** The time for all data of one person, in milliseconds. */
const exportMs = 120_000;

type PersonExport = Awaited<ReturnType<typeof exportPerson>>;

/** Everything that both services store about a person. Each of them stores who exported it, and why. */
export async function exportPerson({ grants, moderation }: PersonServices, email: string, reason: string) {
  const limits = { deadline: deadlineIn(exportMs) };
  const [identity, contributions] = await Promise.all([
    readPieces(grants.streamPersonExport({ email, reason }, limits)),
    readPieces(moderation.streamContributorExport({ email, reason }, limits)),
  ]);
  return {
    id: email,
    state: 'exported',
    exported_at: new Date().toISOString(),
    identity,
    contributions,
  };
}

/** Writes the export of a person as Markdown that is read without tools. No value can act as markup. */
export function personMarkdown({ id, exported_at, identity, contributions }: PersonExport): string {
  const intro = [`# Data about ${line(id)}`, `Exported ${line(exported_at)}. All times are UTC.`];
  const access = ['## Access of agents', ...blocksOf(identity, 3)];
  const work = ['## Contributions', ...blocksOf(contributions, 3)];
  return `${[...intro, ...access, ...work].join('\n\n')}\n`;
}

type Fields = Readonly<Record<string, unknown>>;

/** The facts of an object as one list, then its texts and its parts, each below a heading. */
function blocksOf(fields: Fields, level: number): string[] {
  const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const facts = shown.filter(([, value]) => isFact(value)).map(([name, value]) => `- ${label(name)}: ${fact(value)}`);
  const parts = shown.filter(([, value]) => !isFact(value)).flatMap(([name, value]) => partOf(name, value, level));
  return [...(facts.length > 0 ? [facts.join('\n')] : []), ...parts];
}

function partOf(name: string, value: unknown, level: number): string[] {
  const title = heading(label(name), level);
  if (typeof value === 'string') return [title, quoted(value)];
  if (Array.isArray(value)) {
    return value.flatMap((item: Fields, at) => [
      heading(`${label(name)} ${at + 1} of ${value.length}`, level),
      ...blocksOf(item, level + 1),
    ]);
  }
  return [title, ...blocksOf(value as Fields, level + 1)];
}

function isFact(value: unknown) {
  if (typeof value === 'string') return !value.includes('\n') && value.length <= longestFact;
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'object');
  return typeof value !== 'object';
}

const longestFact = 200;

function fact(value: unknown) {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((item) => line(String(item))).join(', ');
  return line(String(value));
}

function heading(text: string, level: number) {
  return `${'#'.repeat(Math.min(level, 6))} ${text}`;
}

function label(name: string) {
  return line(words(name));
}

function line(text: string) {
  return terminalSafeLine(text).replace(/[\\`*_{}[\]<>#|~&!]/g, '\\$&');
}

/** A text as it was sent, in a fence that it cannot close. */
function quoted(text: string) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${terminalSafeText(text)}\n${fence}`;
}
