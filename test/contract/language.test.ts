import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folders that keep these rules. Add a folder when it keeps them. */
const folders = ['services', 'gateway', 'deploy', 'proto/knowledge', 'test'];

/** Names that no file may export any more. Each has the word of GLOSSARY.md that replaces it. */
const retiredNames: Readonly<Record<string, string>> = {
  Act: 'CommandHandler, Attribution',
  Answer: 'Response',
  Asker: 'Requester, CallContext',
  AskingCall: 'CallContext',
  ChangeFeed: 'ChangeStream',
  Decided: 'Outcome',
  Door: 'ProtoService',
  door: 'protoService',
  Held: 'CachedResponse',
  hold: 'cache',
  Listing: 'CachedResponse',
  MadeSecret: 'NewSecretCode',
  Moment: 'CallContext',
  Newcomers: 'NewSubjects',
  Noun: 'ListLabels',
  Open: 'a name that says what is open',
  Page: 'ListPage, or Page only for HTML',
  Parts: 'a name that says parts of what',
  ReadSecret: 'SecretCode',
  Remembered: 'CachedResponse',
  Rendered: 'Response',
  Seen: 'a name that says what was seen',
  Sendable: 'Response',
  Surroundings: 'a name that says what surrounds what',
  together: 'batch',
};

type Words = readonly (readonly [pattern: RegExp, instead: string])[];

/** Words that readers misunderstand in a comment or a title. Each has a clearer replacement. */
const puzzlingWords: Words = [
  [/\b(?:is|are|was|were|be|being) told\b/, 'logged, shown, or say who gets what'],
  [/\bwho(?:so)?ever\b/i, 'a caller that, anybody who'],
  [/(?<!, )\bso (?:many|much|late|long)(?! as\b| that\b)\b/, 'the number, at most N'],
  [/\btells? of\b/, 'contains, reports'],
  [/\bhears? of\b/, 'learns, receives'],
  [/\ban own\b/, 'its own'],
  [/\bno news\b/, 'not logged'],
  [/\bnobody need\b/, 'need not'],
  [/\basks? nobody\b/, 'does not authenticate'],
];

/** Words that people do not read on pages and in mails (GLOSSARY.md#on-pages). Each has another one. */
const machineWords: Words = [
  [/\b(?:ceilings?|allowances?)\b/i, 'limit'],
  [/\bslugs?\b/i, 'name in the URL'],
  [/\bnetwork address|\b(?:from|of) one address\b|\bname in the address\b/i, 'IP address, URL'],
  [/\bknowledge (?:review|person|token|article|quota)\b|["“]review \w+["”]|\bboth services\b/, 'what people do'],
];

const longestFirstSentence = 20;

interface Comment {
  readonly place: string;
  readonly text: string;
  /** The line of code below the comment. */
  readonly below: string;
}

const files = tracked().map((name) => ({ name, text: readFileSync(`${root}/${name}`, 'utf8') }));
const comments = files.flatMap(({ name, text }) => commentsOf(name, text));

test('the first sentence of a comment has at most 20 words', () => {
  expect(comments.length).toBeGreaterThan(100);
  const long = comments.filter(({ text }) => wordCount(firstSentence(text)) > longestFirstSentence);
  expect(long.map(({ place, text }) => `${place}: ${firstSentence(text)}`)).toEqual([]);
});

test('no comment only repeats the name below it', () => {
  // Comments in protos are exempt, because buf requires a comment on everything.
  const repeating = comments.filter(({ text, below, place }) => !place.includes('.proto:') && repeatsName(text, below));
  expect(repeating.map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
});

test('no comment or test title uses a puzzling word', () => {
  const texts = [...comments, ...files.flatMap(({ name, text }) => titlesOf(name, text))];
  expect(wrongIn(texts, puzzlingWords)).toEqual([]);
});

test('no page and no mail uses a machine word', () => {
  const shown = files.filter(({ name }) =>
    /(?:desk\/src\/(?:browser|pages|.*\/?web)|gateway\/src\/pages|src\/mail)(?!.*\.test\.)/.test(name),
  );
  const texts = shown.flatMap(({ name, text }) => proseOf(name, text));
  expect(texts.length).toBeGreaterThan(1000);
  expect(wrongIn(texts, machineWords)).toEqual([]);
});

const exported = files
  .filter(({ name }) => !/\.(?:test|fixture)\.|\/testing\/|^test\//.test(name))
  .flatMap(({ name, text }) =>
    [...text.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type|enum) (\w+)/gm)].map(
      ([, word = '']) => ({ name, word }),
    ),
  );

test('no file exports a retired name', () => {
  const wrong = exported.filter(({ word }) => Object.hasOwn(retiredNames, word));
  expect(wrong.map(({ name, word }) => `${name}: ${word}; say: ${retiredNames[word]}`)).toEqual([]);
});

test('what a function works with is called Parts', () => {
  const wrong = files.filter(({ text }) => /\b(?:interface|type) \w+(?:Dependencies|Deps|Needs)\b/.test(text));
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('no two files of a package export the same name', () => {
  const places = new Map<string, string>();
  const twice = exported.flatMap(({ name, word }) => {
    const key = `${name.replace(/\/src\/.*/, '')} ${word}`;
    const before = places.get(key) ?? name;
    places.set(key, before);
    return before === name ? [] : [`${key}: ${before}, ${name}`];
  });
  // JSX finds its fragment by this name in the file of its runtime.
  expect(twice.filter((each) => !each.startsWith('services/runtime Fragment:'))).toEqual([]);
});

function wrongIn(texts: readonly Omit<Comment, 'below'>[], words: Words): string[] {
  return texts.flatMap(({ place, text }) =>
    words
      .filter(([pattern]) => pattern.test(text))
      .map(([pattern, instead]) => `${place}: ${pattern.exec(text)?.[0]}; say: ${instead}`),
  );
}

function tracked(): string[] {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', ...folders];
  const output = execFileSync('git', listed, { cwd: root, encoding: 'utf8' });
  return output.split('\0').filter((file) => /\.(?:tsx?|mjs|proto)$/.test(file) && existsSync(`${root}/${file}`));
}

function commentsOf(file: string, text: string): Comment[] {
  return [...text.matchAll(/\/\*\*([\s\S]*?)\*\/|(?:^[ \t]*\/\/.*\n)+/gm)].map((match) => ({
    place: placeOf(file, text, match.index),
    text: (match[1] ?? match[0])
      .replace(/^\s*(?:\/\/|\*)?/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
    below: /^\s*(.*)/.exec(text.slice(match.index + match[0].length))?.[1] ?? '',
  }));
}

function titlesOf(file: string, text: string): Omit<Comment, 'below'>[] {
  if (!file.endsWith('.test.ts')) return [];
  return [...text.matchAll(/\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])(.*?)\1/g)].map((match) => ({
    place: placeOf(file, text, match.index),
    text: match[2] ?? '',
  }));
}

/** The texts between elements, but for code, and the strings with a space: a name of a program has none. */
function proseOf(file: string, text: string): Omit<Comment, 'below'>[] {
  const found: Omit<Comment, 'below'>[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && node.openingElement.tagName.getText() === 'code') return;
    if (ts.isJsxAttribute(node) && node.name.getText().startsWith('hx-')) return;
    if (ts.isJsxText(node) || (ts.isStringLiteralLike(node) && node.text.includes(' ')) || isTemplatePart(node)) {
      found.push({ place: placeOf(file, text, node.getStart()), text: node.text.replace(/\s+/g, ' ') });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

function isTemplatePart(node: ts.Node): node is ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail {
  return ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}

function placeOf(file: string, text: string, index: number): string {
  const before = text.slice(0, index);
  return `${file}:${before.split('\n').length + (/^\n*/.exec(text.slice(index))?.[0].length ?? 0)}`;
}

/** Returns the first sentence. Inline code counts as one word, and tags such as `@throws` are left out. */
function firstSentence(comment: string): string {
  const prose = comment.replace(/`[^`]*`/g, 'code').replace(/ ?(?<!\S)@\w[\s\S]*$/, '');
  return prose.split(/(?<=[.!?])\s/, 1)[0] ?? '';
}

function wordCount(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

/** Whether the code below contains every word of a comment, except articles and similar words. */
function repeatsName(comment: string, below: string): boolean {
  const code = below.split(/\/\/|\/\*\*/, 1)[0] ?? '';
  const names = new Set(wordsOf(code.replace(/([a-z0-9])([A-Z])/g, '$1 $2')));
  const words = wordsOf(comment).filter(
    (word) => !/^(?:an?|the|its?|of|for|to|and|or|one|each|every|this)$/.test(word),
  );
  return words.every((word) => names.has(word));
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z]+/g) ?? []).map((word) => word.replace(/s$/, ''));
}
