import matter from 'gray-matter';
import { FAILSAFE_SCHEMA, load, nullCoreTag, YAMLException } from 'js-yaml';
import { FileProblem } from './file-problem.js';
import { zipProblem } from './zip-problem.js';

export interface MarkdownDocument {
  /** The fields of the front matter. All values are text, or lists and maps of text. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/**
 * Splits a Markdown file into YAML front matter and body. Removes a byte order mark, and replaces CRLF with LF if the
 * first line ends with CRLF. The body does not contain the empty line before it and the last line break.
 *
 * @throws FileProblem if the file is not UTF-8, or its front matter is missing or unreadable.
 */
export function readFrontMatter(bytes: Uint8Array): MarkdownDocument {
  const text = decode(bytes);
  const [opening = ''] = text.split('\n', 1);
  const source = opening.endsWith('\r') ? text.replaceAll('\r\n', '\n') : text;
  // Only YAML is allowed, because gray-matter would run a front matter after `---js` as JavaScript.
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
 * Finds the line of the file where a fault begins. The parser may stop many lines after an open quote. This therefore
 * goes back until the lines above are valid YAML.
 */
function faultyLine(source: string, stoppedAt: number): number {
  const lines = source.split('\n');
  let line = Math.min(stoppedAt, lines.length - 1);
  while (line > 0 && !isReadableYaml(lines.slice(0, line).join('\n'))) line--;
  return line + firstLineOf(source);
}

// Finds the number of the first line after the dashes. gray-matter may leave the line break of the dashes in the source.
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
    throw new FileProblem(zipProblem(bytes) ?? 'is not UTF-8 text; save it as UTF-8');
  }
}
