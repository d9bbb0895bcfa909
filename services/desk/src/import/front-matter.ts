import matter from 'gray-matter';
import { FAILSAFE_SCHEMA, load, nullCoreTag, YAMLException } from 'js-yaml';

/** A Markdown file taken apart. */
export interface MarkdownDocument {
  /** The fields of the front matter: text, lists and nested things of text; nothing is taken for a number or a date. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What is wrong with a file, in words for its author. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
}

/**
 * Takes a Markdown file with YAML front matter apart. A byte order mark is dropped, and CRLF becomes LF where the file
 * uses it from its first line. One empty line after the front matter and the last line break are not part of the body.
 *
 * @throws FileProblem for what is no UTF-8 or has no front matter that can be read.
 */
export function readFrontMatter(bytes: Uint8Array): MarkdownDocument {
  const text = decode(bytes);
  const [opening = ''] = text.split('\n', 1);
  const source = opening.endsWith('\r') ? text.replaceAll('\r\n', '\n') : text;
  // Only YAML: gray-matter would also take a language after the dashes, and run it.
  const language = /^---[ \t]*((?!-)\S*)[ \t]*\r?$/.exec(opening)?.[1];
  if (language === undefined || !source.includes('\n---')) {
    throw new FileProblem('has no front matter: begin with a line ---, fields like "title: …", and a line ---');
  }
  if (!['', 'yaml', 'yml'].includes(language)) throw new FileProblem(`front matter: must be YAML, not ${language}`);
  const { data, content } = matter(source, { engines });
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new FileProblem('front matter: must be fields like "title: …"');
  }
  return { fields: data, body: content.replace(/^\n/, '').replace(/\n$/, '') };
}

const schema = FAILSAFE_SCHEMA.withTags(nullCoreTag);
const engines = { yaml: parseYaml, json: refuse, javascript: refuse };

function parseYaml(source: string): object {
  try {
    return load(source, { schema, maxDepth: 8 }) as object;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark === undefined ? '' : ` (line ${faultyLine(source, error.mark.line)})`;
    throw new FileProblem(`front matter: ${error.reason}${line}`);
  }
}

/**
 * The line of the file on which the fault begins. The parser stops where it can go on no more, which for a quote that is not
 * closed is far below: from the line with the fault on, no beginning of the text can be read.
 */
function faultyLine(source: string, stoppedAt: number): number {
  const lines = source.split('\n');
  // The first line of the file holds the dashes, which are not in the source.
  let line = Math.min(stoppedAt, lines.length - 1);
  while (line > 0 && !isReadableYaml(lines.slice(0, line).join('\n'))) line--;
  return line + firstLineOf(source);
}

// gray-matter gives the source with the line break after the dashes.
function firstLineOf(source: string): number {
  return source.startsWith('\n') ? 1 : 2;
}

function isReadableYaml(source: string): boolean {
  if (source.trim() === '') return true;
  try {
    load(source, { schema, maxDepth: 8 });
    return true;
  } catch {
    return false;
  }
}

function refuse(): never {
  throw new FileProblem('front matter: must be YAML');
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileProblem('is not UTF-8 text; save it as UTF-8');
  }
}
