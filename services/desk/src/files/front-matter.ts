import { hasCode, KnowledgeError } from '@knowledge/runtime/client';
import { dump, FAILSAFE_SCHEMA, load, nullCoreTag, YAMLException } from 'js-yaml';
import { parse, TomlError } from 'smol-toml';
import { FileProblem, isEmpty } from './fields.js';

export interface MarkdownDocument {
  /** The fields of the front matter; none without one. All values are text, or lists and maps of text. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** The number of lines before the body. */
  readonly before: number;
}

/** The longest front matter, in characters. All fields of an article together have far fewer. */
const mostFields = 60_000;

/** The formats of a front matter, by the line before and after it. Each has its own parser and names. */
const formats = new Map([
  ['---', { name: 'YAML', names: ['', 'yaml', 'yml'], parse: parseYaml }],
  ['+++', { name: 'TOML', names: ['', 'toml'], parse: parseToml }],
]);

/** A space that YAML and TOML read as a letter. It stands before or after a name, or after the hyphen of a list. */
const oddSpace =
  /^[ \t]*[^\S \t]\s*(?:-|[\w.-]+:) |^[ \t]*(?:- )?[\w.-]+[ \t]*(?:[^\S \t]\s*[:=]|[:=][^\S \t])|^[ \t]*-[^\S \t]/u;

/** A sign that no text has, and that editors do not show. */
const control = /[^\P{Cc}\t\r]/u;

/**
 * Splits a Markdown file into front matter and body. Removes a byte order mark, and replaces CRLF with LF if the
 * first line ends with CRLF. The body does not contain the empty line before it and the last line break.
 *
 * @throws FileProblem if the file is not UTF-8, or its front matter is unreadable.
 */
export function readFrontMatter(bytes: Uint8Array): MarkdownDocument {
  const text = decode(bytes);
  const [first = ''] = text.split('\n', 1);
  const lines = (first.endsWith('\r') ? text.replaceAll('\r\n', '\n') : text).split('\n');
  // Zola allows empty lines before it.
  const start = Math.max(
    0,
    lines.findIndex((line) => line.trim() !== ''),
  );
  const opening = lines[start] ?? '';
  const delimiter = opening.slice(0, 3);
  const format = formats.get(delimiter);
  const name = opening.slice(3).trim();
  if (format === undefined || name.startsWith('-')) {
    return { fields: {}, body: lines.slice(start).join('\n').replace(/\n$/, ''), before: start };
  }
  if (!format.names.includes(name)) {
    throw new FileProblem(`front matter: must be ${format.name}, not ${name.slice(0, 20)}`);
  }
  const end = lines.findIndex((line, at) => at > start && line.trimEnd() === delimiter);
  if (end < 0) throw new FileProblem(`front matter: has no end; write a line ${delimiter} after its fields`);
  // The empty line in place of the delimiter keeps the numbers of the lines.
  const source = `${'\n'.repeat(start + 1)}${lines.slice(start + 1, end).join('\n')}`;
  if (source.length > mostFields) throw new FileProblem(`front matter: must have at most ${mostFields} characters`);
  const odd = lines.findIndex((line, at) => at > start && at < end && (control.test(line) || oddSpace.test(line)));
  if (odd >= 0) {
    const line = lines[odd] ?? '';
    const [sign = ''] = control.exec(line) ?? /[^\S \t\r]/u.exec(line) ?? [];
    const code = `U+${sign.codePointAt(0)?.toString(16).padStart(4, '0').toUpperCase()}`;
    const what = control.test(sign)
      ? `a control character (${code})`
      : `a no-break or odd space (${code}) where a plain space must be`;
    throw new FileProblem(`front matter: line ${odd + 1} has ${what}`);
  }
  // An empty one has no fields.
  const fields = source.trim() === '' ? {} : format.parse(source);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new FileProblem('front matter: must be fields like "title: …"');
  }
  const bodyAt = lines[end + 1] === '' ? end + 2 : end + 1;
  const body = lines.slice(bodyAt).join('\n').replace(/\n$/, '');
  return { fields: fields as MarkdownDocument['fields'], body, before: bodyAt };
}

/**
 * Throws what the service refuses with the lines of the file. The service counts those of the body that was sent, which
 * lacks a heading that became the title.
 */
export function inLinesOf({ before, body }: MarkdownDocument, sent: { readonly body: string }) {
  const above = before + linesIn(body) - linesIn(sent.body);
  return (error: unknown): never => {
    if (!hasCode(error, 'validation_error')) throw error;
    const message = error.message.replace(/\bline (\d+)/g, (_, line) => `line ${Number(line) + above}`);
    throw new KnowledgeError(error.code, message, { cause: error });
  };
}

function linesIn(text: string) {
  return text.split('\n').length;
}

/** Writes a file that `readFrontMatter` reads. Fields without a value are left out. */
export function writeFrontMatter(fields: Readonly<Record<string, unknown>>, body: string): string {
  const present = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  return `---\n${dump(Object.fromEntries(present), { lineWidth: -1 })}---\n\n${body}\n`;
}

function decode(bytes: Uint8Array) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const binary = bytes.includes(0) ? 'is no text; choose Markdown files' : undefined;
    throw new FileProblem(zipProblem(bytes) ?? utf16Problem(bytes) ?? binary ?? 'is not UTF-8 text; save it as UTF-8');
  }
}

// Such a text begins with a byte order mark.
function utf16Problem([first, second]: Uint8Array) {
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isUtf16 ? 'is UTF-16 text; save it as UTF-8' : undefined;
}

const schema = FAILSAFE_SCHEMA.withTags(nullCoreTag);

/**
 * Reads YAML in linear time. All values are text, or lists and maps of text, so that `NO` and `2026` stay what they look
 * like.
 *
 * @throws FileProblem with the reason and the line.
 */
export function parseYaml(source: string): unknown {
  try {
    // Only before a line break does the parser say of an open quote where it stopped.
    return load(`${source}\n`, { schema, maxDepth: 8 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark === undefined ? '' : ` (line ${lineOf(error.reason, source, error.mark.line) + 1})`;
    throw new FileProblem(`is not YAML: ${error.reason.slice(0, 200)}${line}`);
  }
}

// An open quote or bracket is noticed at the next field, so the fault is in the field before it.
function lineOf(reason: string, source: string, line: number) {
  if (reason !== 'deficient indentation') return line;
  const before = source.split('\n', line);
  return before.findLastIndex((each) => /^\S/.test(each));
}

const mostLevels = 8;

/**
 * Reads TOML. All values are text, or lists and maps of text, as in YAML.
 *
 * @throws FileProblem with the reason and the line.
 */
function parseToml(source: string): unknown {
  try {
    return textOf(parse(source, { maxDepth: mostLevels, integersAsBigInt: true }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.replace('Invalid TOML document: ', '').split('\n');
    throw new FileProblem(`is not TOML: ${reason} (line ${error.line})`);
  }
}

function textOf(value: unknown, level = 0): unknown {
  // The parser does not count the levels of dotted names.
  if (level > mostLevels) throw new FileProblem(`is not TOML that we read: it has more than ${mostLevels} levels`);
  const inner = (each: unknown) => textOf(each, level + 1);
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]));
}

/** Says what to do with a file that is a ZIP archive, such as an export; undefined for another file. */
export function zipProblem(bytes: Uint8Array): string | undefined {
  const begins = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  // An empty archive begins with its end.
  const isZip = begins === 'PK\u0003\u0004' || begins === 'PK\u0005\u0006';
  return isZip ? 'is a ZIP archive; unpack it and choose its files' : undefined;
}
