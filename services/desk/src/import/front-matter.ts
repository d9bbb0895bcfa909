import { FileProblem } from './file-problem.js';
import { parseYaml } from './parse-yaml.js';
import { zipProblem } from './zip-problem.js';

export interface MarkdownDocument {
  /** The fields of the front matter. All values are text, or lists and maps of text. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The longest front matter, in characters. All fields of an article together have far fewer. */
const mostFields = 60_000;

/** The formats of a front matter, by the line before and after it. Each has its own parser and names. */
const formats = new Map([['---', { name: 'YAML', names: ['', 'yaml', 'yml'], parse: parseYaml }]]);

/**
 * Splits a Markdown file into front matter and body. Removes a byte order mark, and replaces CRLF with LF if the
 * first line ends with CRLF. The body does not contain the empty line before it and the last line break.
 *
 * @throws FileProblem if the file is not UTF-8, or its front matter is missing or unreadable.
 */
export function readFrontMatter(bytes: Uint8Array): MarkdownDocument {
  const text = decode(bytes);
  const [opening = ''] = text.split('\n', 1);
  const lines = (opening.endsWith('\r') ? text.replaceAll('\r\n', '\n') : text).split('\n');
  const delimiter = opening.slice(0, 3);
  const format = formats.get(delimiter);
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === delimiter);
  const name = opening.slice(3).trim();
  if (format === undefined || end < 0 || name.startsWith('-')) {
    throw new FileProblem('has no front matter: begin with a line ---, fields like "title: …", and a line ---');
  }
  if (!format.names.includes(name)) {
    throw new FileProblem(`front matter: must be ${format.name}, not ${name.slice(0, 20)}`);
  }
  // The empty line in place of the delimiter keeps the numbers of the lines.
  const source = ['', ...lines.slice(1, end)].join('\n');
  if (source.length > mostFields) throw new FileProblem(`front matter: must have at most ${mostFields} characters`);
  const fields = format.parse(source);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new FileProblem('front matter: must be fields like "title: …"');
  }
  const body = lines.slice(end + 1).join('\n');
  return { fields: fields as MarkdownDocument['fields'], body: body.replace(/^\n/, '').replace(/\n$/, '') };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileProblem(
      zipProblem(bytes) ??
        (bytes.includes(0) ? 'is no text; choose Markdown files' : 'is not UTF-8 text; save it as UTF-8'),
    );
  }
}
