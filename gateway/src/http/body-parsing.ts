import type { IncomingMessage } from 'node:http';
import { KnowledgeError, refuse } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ParseError, ParseErrorCode, SyntaxKind } from 'jsonc-parser';
import jsonc from 'jsonc-parser';

/** Parses JSON bodies in UTF-8, and refuses every other body (SECURITY.md#http-edge). */
export function registerBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: { headers: { 'content-type'?: string | undefined } }, bytes: Buffer) => {
      const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
      if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
        throw new KnowledgeError('unsupported_media_type', 'Send the body as application/json in UTF-8.');
      }
      // Some clients send a Content-Type where they have no body; validation says where one is needed.
      return bytes.length === 0 ? undefined : parse(bytes);
    },
  );
  // A type counts only where there is a byte. The first byte is enough to refuse it, so a large body is not awaited.
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (Number(request.headers['content-length'] ?? 0) > 0) throw unknownType();
    // Without the option the connection would be destroyed, and the refusal lost.
    const chunks = payload.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) if (chunk.length > 0) throw unknownType();
  });
}

function unknownType() {
  return new KnowledgeError('unsupported_media_type', 'Send the body as application/json, in UTF-8.');
}

function parse(bytes: Buffer) {
  const text = decode(bytes);
  let parsed: unknown;
  try {
    // A key such as __proto__ is safe: JSON.parse makes it a plain property, and validation refuses it.
    parsed = JSON.parse(text);
  } catch (error) {
    const fault = jsonFault(text);
    const where = fault === undefined ? '' : `: ${fault}`;
    throw new KnowledgeError('invalid_body', `The body is not well-formed JSON${where}.`, { cause: error });
  }
  // Fastify gives null to the validation where there is no body.
  if (parsed === null) throw wrongBody('The request body must be a JSON object; you sent null.');
  const twice = repeatedKey(text);
  if (twice === undefined) return parsed;
  const message = `${shownName(twice.key)}: stands twice in one object, again at ${twice.place}; send it once.`;
  throw wrongBody(message);
}

function wrongBody(message: string) {
  return new KnowledgeError('validation_error', message, { metadata: { part: 'body' } });
}

function decode(bytes: Buffer) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new KnowledgeError('invalid_body', 'The body is not UTF-8; send JSON in UTF-8.', { cause: error });
  }
}

/** Refuses NUL characters and unpaired surrogates, because the database would change or refuse them. */
export function requireCleanText(body: object): void {
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string' && /[\p{Cs}\0]/u.test(value)) {
      refuse(`${name}: must not contain NUL characters or unpaired surrogates`);
    }
  }
}

/** Describes where and why a text is not JSON, for example `line 2, column 14: a comma is missing`. */
function jsonFault(text: string) {
  if (text.trim() === '') return 'it is empty';
  const fault = firstFault(text);
  if (fault === undefined) return undefined;
  // The parser reports an unclosed string at its opening quote, but the message names the end of the string.
  const offset = fault.error === unexpectedEndOfString ? fault.offset + fault.length : fault.offset;
  const hint = endsText(text, fault) ? afterText : (words[fault.error] ?? 'this is not JSON');
  return `${placeOf(text, offset)}: ${hint}`;
}

/** Finds a key that stands twice in an object, and where. Of two such values, one program reads the first and another the last. */
function repeatedKey(text: string) {
  const scanner = jsonc.createScanner(text, true);
  // The keys of the objects around; an array has none.
  const around: (Set<string> | undefined)[] = [];
  let atKey = false;
  for (let token = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    const keys = around.at(-1);
    if (token === string && atKey && keys !== undefined) {
      const key = scanner.getTokenValue();
      if (keys.has(key)) return { key, place: placeOf(text, scanner.getTokenOffset()) };
      keys.add(key);
    }
    if (token === openBrace || token === openBracket) around.push(token === openBrace ? new Set() : undefined);
    else if (token === closeBrace || token === closeBracket) around.pop();
    atKey = token === openBrace || token === comma;
  }
  return undefined;
}

function firstFault(text: string) {
  const faults: ParseError[] = [];
  try {
    jsonc.parse(text, faults, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    // The text is nested too deeply for the parser's stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return faults[0];
}

const afterText =
  'after a text in double quotes, a comma or a closing brace must stand here; write a double quote inside a text as \\"';

// Whether a double quote inside a text ended the text too early, so that its next word is not JSON.
function endsText(text: string, { error, offset }: ParseError) {
  return (
    (error === invalidSymbol || error === commaExpected) && /"\s*$/.test(text.slice(Math.max(0, offset - 20), offset))
  );
}

function placeOf(text: string, offset: number) {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${[...(before.at(-1) ?? '')].length + 1}`;
}

// The numbers of the enum `SyntaxKind`, which exists only at compile time.
const [openBrace, closeBrace, openBracket, closeBracket, comma, string, endOfText]: SyntaxKind[] = [
  1, 2, 3, 4, 5, 10, 17,
];

const invalidSymbol: ParseErrorCode = 1;
const commaExpected: ParseErrorCode = 6;
const unexpectedEndOfString: ParseErrorCode = 12;

// The keys are the numbers of the enum `ParseErrorCode`, which exists only at compile time.
const words: Readonly<Record<number, string>> = {
  1: 'this is not a JSON value; names and texts need double quotes',
  2: 'this is not a number',
  3: 'the name of a field in double quotes must stand here',
  4: 'a value is missing',
  5: 'a colon is missing',
  6: 'a comma is missing',
  7: 'a closing brace } is missing',
  8: 'a closing bracket ] is missing',
  9: 'something follows after the end of the JSON',
  10: 'JSON has no comments',
  12: 'a string breaks off; write a line break inside a string as \\n and a double quote as \\"',
  13: 'a number breaks off',
  14: 'a \\u escape needs four hexadecimal digits',
  15: 'JSON has no such escape; write a backslash as \\\\',
  16: 'a control character must be written as an escape, for example a tab as \\t',
};

/** Makes a caller's name for a field safe to show in a message: printable and at most 60 characters long. */
export function shownName(name: string): string {
  return [...name.replace(/[^\x20-\x7e]/g, '?')].slice(0, 60).join('');
}
